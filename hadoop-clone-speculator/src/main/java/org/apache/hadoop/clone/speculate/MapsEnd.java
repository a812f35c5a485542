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
package org.apache.hadoop.clone.speculate;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * When the last map of a job has ended. Until then its reduces wait most of the time, which
 * Hadoop's estimators take for work: where maps take an hour, reduces that have five minutes of
 * work took 65, and one that takes ten more is on schedule. An AppMaster has one job.
 */
final class MapsEnd {
    private enum Maps {
        RUNNING,
        ENDED,
        /** After they had ended: the output of some was lost. */
        RUNNING_AGAIN
    }

    /** Written by looks and by what is heard of reduces, of which only one sees the end. */
    private volatile Maps state = Maps.RUNNING;

    /**
     * The reduces that have waited for maps until now, if the last map has ended since this was
     * asked last; after the first time only those that still fetch. One of which nothing has been
     * heard yet waits for nobody but its own JVM.
     *
     * @param reduces the job's that have begun
     */
    synchronized List<TaskAttempt> waited(Job job, Stream<Task> reduces) {
        if (!isPast(job)) {
            state = state == Maps.RUNNING ? Maps.RUNNING : Maps.RUNNING_AGAIN;
            return List.of();
        }
        Maps before = state;
        state = Maps.ENDED;
        if (before == Maps.ENDED) {
            return List.of();
        }
        return reduces.flatMap(task -> task.getAttempts().values().stream())
                .filter(attempt -> StragglerScan.isUnderWay(attempt.getState()))
                .filter(attempt -> hasWaited(attempt.getPhase(), before == Maps.RUNNING))
                .toList();
    }

    /**
     * Whether the last map has ended for the first time, and {@link #waited} wasn't asked since.
     */
    boolean isNews(Job job) {
        return state == Maps.RUNNING && isPast(job);
    }

    /** Whether reduces may have to wait, as far as was seen when this was asked last. */
    boolean isAwaited() {
        return state != Maps.ENDED;
    }

    private static boolean hasWaited(Phase phase, boolean forTheFirstTime) {
        return forTheFirstTime ? phase != Phase.STARTING : phase == Phase.SHUFFLE;
    }

    static boolean isPast(Job job) {
        return job.getCompletedMaps() >= job.getTotalMaps();
    }

    /**
     * What a reduce has done by then that was no waiting, in milliseconds: it has started, and
     * fetched. Rather too much than too little: another reduce, which begins later and waits for
     * nothing, isn't to look slow beside it.
     */
    static double workedMillis(TaskAttempt reduce, CloneCosts costs, SpeculationRules rules) {
        return AttemptCounters.shuffledBytes(reduce) / (rules.fetchShare() * costs.bytesPerMilli());
    }
}
