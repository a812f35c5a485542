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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.mapreduce.Program;
import org.clonehadoop.simulator.trouble.SlowAttempt;
import org.junit.jupiter.api.Test;

class InjectedTest {
    private static final JobId JOB = MRApps.toJobID("job_1_0001");

    private static double brake(String attempt, double done) {
        return new Injected(new SlowAttempt(attempt, 101, 0.5), 0.5, 0.33)
                .brake(Names.attempt(JOB, attempt), done, new Draws(1));
    }

    /** A hundred times what its thread does. */
    @Test
    void aMapIsSlowAtItsRecords() {
        assertThat(brake("m_000001_0", 0.6)).isCloseTo(51, within(1e-9));
    }

    /** That is 33 % of what the reduce takes. */
    @Test
    void ofAReduceOnlyItsOwnThreadIsSlow() {
        assertThat(brake("r_000001_0", 0.6)).isCloseTo(34, within(1e-9));
    }

    @Test
    void beforeItsOnsetNobodyIsSlow() {
        assertThat(brake("r_000001_0", 0.4)).isEqualTo(1);
    }

    /** 0.2 s of a processor for a megabyte, of which a half is its thread's, and 0.2 s of wait. */
    @Test
    void whatWaitsIsSlowInAllOfItsWait() {
        assertThat(new Program("paced", 0.1, 1, 0.1, 1, 0.2, true).withWait(0.2, 0.5))
                .isCloseTo(0.75, within(1e-9));
    }
}
