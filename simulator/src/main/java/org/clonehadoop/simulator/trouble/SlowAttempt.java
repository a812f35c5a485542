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

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.simulator.engine.Draws;

/**
 * One attempt that is slow, or hangs, from some point on.
 *
 * @param attempt its name, like {@code m_000001_0}
 * @param brake so many times as long; infinite if it hangs
 * @param onset after this share of its records
 */
public record SlowAttempt(String attempt, double brake, double onset) implements Trouble {
    @Override
    public double brake(TaskAttemptId id, double done, Draws draws) {
        return done >= onset && Names.of(id).equals(attempt) ? brake : 1;
    }
}
