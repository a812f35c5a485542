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
package org.clonehadoop.simulator.trace;

import org.clonehadoop.simulator.mapreduce.RunRecord;

/**
 * What became of a job of the day.
 *
 * @param seconds from its submission to its end, with its AppMaster's start
 * @param orderedNew second attempts from zero
 * @param ranClones clones that came to run
 * @param wonClones tasks that a clone won
 * @param thrownAwaySeconds containers' time that brought nothing
 */
record DayJob(
        SizeClass size,
        double seconds,
        int orderedNew,
        int ranClones,
        int wonClones,
        double thrownAwaySeconds) {

    static DayJob of(SwimJob job, RunRecord run) {
        return new DayJob(
                SizeClass.of(job.maps()),
                run.jobSeconds(),
                run.orderedNew(),
                run.ranClones(),
                run.wonClones(),
                run.thrownAwaySeconds());
    }
}
