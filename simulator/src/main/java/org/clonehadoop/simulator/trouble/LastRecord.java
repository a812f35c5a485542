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

import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.clonehadoop.simulator.engine.Draws;

/**
 * Tasks with a last record that takes long, whoever works on it.
 *
 * @param every so many tasks one has such a record
 * @param cpu seconds of a processor
 */
public record LastRecord(TaskType kind, int every, double cpu) implements Trouble {
    @Override
    public double lastRecord(TaskId task, Draws draws) {
        boolean has =
                task.getTaskType() == kind
                        && task.getId() % every == Math.floorMod(draws.seed(), every);
        return has ? cpu : 0;
    }
}
