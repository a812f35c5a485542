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
 * Some tasks have more to do than others. That is no straggling: another attempt has as much to do.
 *
 * @param kind maps if splits differ, reduces if keys do
 * @param every so many tasks one is large
 * @param factor its work over the others'
 */
public record Skew(TaskType kind, int every, double factor) implements Trouble {
    @Override
    public double size(TaskId task, Draws draws) {
        boolean large =
                task.getTaskType() == kind
                        && task.getId() % every == Math.floorMod(draws.seed(), every);
        return large ? factor : 1;
    }
}
