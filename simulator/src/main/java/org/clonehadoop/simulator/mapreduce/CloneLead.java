/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.clonehadoop.simulator.mapreduce;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/** Makes clones, for an AppMaster. */
public interface CloneLead {
    /** What a lead needs of the AppMaster. Times are in milliseconds. */
    interface Site {
        Timeline timeline();

        AppContext context();

        JobSpec spec();

        /** The task gets another attempt, for which a container is asked. */
        void addAttempt(TaskId task);

        /** Whether it has a container, and hasn't ended. */
        boolean isUnderWay(TaskAttemptId attempt);

        /**
         * Its request is replaced by one for these hosts that is served before reduces.
         *
         * @param asked is run once the ResourceManager has been told
         * @return false if it doesn't wait
         */
        boolean askUrgently(TaskAttemptId attempt, List<String> hosts, Runnable asked);

        SimHost hostOf(TaskAttemptId attempt);

        /** Hosts for another attempt: those with room now, or all if there is none. */
        List<SimHost> hostsForMore();

        /**
         * What only a simulation can know: until an attempt would end, were its host and what else
         * runs there to stay as they are; NaN before it works.
         */
        double remainingMillis(TaskAttemptId attempt);

        /** What no attempt can do the rest of the original's work faster than. */
        double leastRestMillis(TaskAttemptId original);

        /**
         * The attempt beside the original: the one that there is, or the next that there will be.
         */
        TaskAttemptId secondOf(TaskAttemptId original);

        /** As {@link #remainingMillis}, of the second attempt, from zero. */
        double fromZeroMillis(TaskAttemptId original, SimHost host);

        /** As {@link #fromZeroMillis}, from where the original is. */
        double restMillis(TaskAttemptId original, SimHost host);

        /** What a clone of it must bring along of its disk. */
        double fileMegabytes(TaskAttemptId original);

        /**
         * In so many milliseconds it has given the buffer of its output back, for which a freeze is
         * put off; empty if that takes longer than it may be put off, or never comes.
         */
        OptionalLong boundaryMillis(TaskAttemptId original);

        /** And of its memory, if what {@link #boundaryMillis} says is waited for. */
        double imageMegabytes(TaskAttemptId original);

        /** Whether its agent can answer: its host isn't lost. */
        boolean hears(TaskAttemptId attempt);

        /** Why it can't be cloned in what it does now, as its agent would say. */
        Optional<String> obstacle(TaskAttemptId original);

        /**
         * Whether it soon comes to where it can stand still, between two records for example; not
         * so if it hangs, or has a very long record.
         */
        boolean comesToRest(TaskAttemptId original);

        /** It stands still; its image is as it is now. */
        void freeze(TaskAttemptId original);

        void thaw(TaskAttemptId original);

        /** Its container waits for an image; as far as Hadoop knows it runs. */
        void awaitImage(TaskAttemptId clone);

        /** In the container that it has, from where its original was frozen. */
        void beginAsClone(TaskAttemptId original, TaskAttemptId clone);

        /** In the container that it has. */
        void beginAtZero(TaskAttemptId attempt);
    }

    /** What the speculator asks and orders. */
    Cloner cloner();

    /** Empty if second attempts may run anywhere, as stock's. */
    Optional<Placement> placement();

    /** Chooses hosts, and may make room there. */
    interface Placement {
        /**
         * @param stock the hosts that stock would ask for
         * @return those to ask for
         */
        List<String> request(TaskAttemptId attempt, List<String> stock);

        /** It waits, and will be asked for once enough maps have ended. */
        default void willAsk(TaskAttemptId attempt) {}

        /** Whether the attempt must not run there, and asks again. */
        boolean refuse(TaskAttemptId attempt, SimHost host);

        /** Takes the hosts to ask for again by now, for each attempt. */
        Map<TaskAttemptId, List<String>> due();

        /** Takes the request of the map's backup that is to have a container of that reduce. */
        default Optional<TaskAttemptId> taker(TaskAttemptId reduce, SimHost host) {
            return Optional.empty();
        }

        /** Hosts that the ResourceManager isn't to offer now. */
        default Set<String> withheld() {
            return Set.of();
        }

        /** It has begun, got on, or ended. */
        void changed(TaskAttempt attempt);

        /** The ResourceManager has said that a container of the job's there is free again. */
        void cameFree(SimHost host);

        /** It has a container, or needs none any more. */
        void forget(TaskAttemptId attempt);

        /** Between two exchanges with the ResourceManager while a backup waits. */
        default long hurriedMillis() {
            return PlacementRules.PRESET.hurriedMillis();
        }

        /** How many of them there are. */
        default int hurries() {
            return PlacementRules.PRESET.hurries();
        }

        /** Every half second: reduces may make room. */
        default void tick() {}
    }

    /**
     * Its container can be launched.
     *
     * @return whether the lead sees to it that it begins
     */
    boolean launching(TaskAttemptId attempt, SimHost host);

    /** Its JVM is up, and can hear orders. */
    void started(TaskAttemptId attempt);

    void ended(TaskAttemptId attempt, boolean succeeded);

    /** Every half second. */
    void tick();
}
