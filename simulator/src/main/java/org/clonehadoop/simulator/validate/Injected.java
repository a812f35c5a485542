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
package org.clonehadoop.simulator.validate;

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.Plans;
import org.clonehadoop.simulator.mapreduce.Program;
import org.clonehadoop.simulator.trouble.Trouble;

/**
 * A delay as the benchmarks' injector makes it: in proportion to what the task's own thread does
 * with its records. Another thread of a map sorts them; another one of a reduce sends its output,
 * and a DataNode writes it.
 *
 * @param ofMaps the share of what maps take until their records are through
 * @param ofReduces the share of what reduces take for their records
 */
record Injected(Trouble delay, double ofMaps, double ofReduces) implements Trouble {
    /**
     * In feed slow-reduce-20261125-2116 a reduce that was to take 101 times as long had handled 9.9
     * MB between two reports, in 6.0 s: 6.0 ms of its own for a megabyte. benchmarks/map-cost/run
     * finds 13 of all processors, 18 at that evening's pace of 0.72.
     */
    private static final double OF_REDUCES = 0.33;

    static Injected of(JobSpec spec, Trouble delay) {
        Program program = spec.program();
        return new Injected(
                delay, Plans.recordsShare(spec), program.withWait(program.reduceCpu(), OF_REDUCES));
    }

    @Override
    public double brake(TaskAttemptId attempt, double done, Draws draws) {
        boolean reduces = attempt.getTaskId().getTaskType() == TaskType.REDUCE;
        return 1 + (delay.brake(attempt, done, draws) - 1) * (reduces ? ofReduces : ofMaps);
    }
}
