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
package org.clonehadoop.simulator.trouble;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/** One of the reasons for which tasks are late. Each does what it does, and nothing else. */
public interface Trouble {
    /**
     * How many times as long as by itself an attempt takes with its records; from 1, infinite if it
     * hangs.
     *
     * @param done how much of its records it has behind it, from 0 to 1
     */
    default double brake(TaskAttemptId attempt, double done, Draws draws) {
        return 1;
    }

    /** The work of a task over that of a usual one. */
    default double size(TaskId task, Draws draws) {
        return 1;
    }

    /** Seconds of a processor for a last record, with which no progress is made. */
    default double lastRecord(TaskId task, Draws draws) {
        return 0;
    }

    /** A host from which what reduces fetch comes slowly. */
    default Optional<SlowSource> source() {
        return Optional.empty();
    }

    /** Before the job begins. */
    default void befall(Site site, Draws draws) {}

    /** Where it happens. */
    interface Site {
        Timeline timeline();

        List<SimHost> hosts();

        /** The host is gone, with all that runs on it. */
        void lose(SimHost host);
    }
}
