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
package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    private static final ProcessorTime BEFORE =
            ProcessorTime.parse("cpu  100 10 20 300 5 1 4 60 7 8");

    @Test
    void countsGuestsOnce() {
        assertThat(BEFORE).isEqualTo(new ProcessorTime(500, 60));
    }

    @Test
    void knowsWhatTheHostTook() {
        ProcessorTime after = ProcessorTime.parse("cpu  150 10 20 325 5 1 4 85 7 8");
        assertThat(after.stolenPercentSince(BEFORE)).isEqualTo(25);
        assertThat(BEFORE.stolenPercentSince(BEFORE)).isZero();
    }

    @Test
    void readsThisMachines() throws IOException {
        assertThat(ProcessorTime.now().all()).isPositive();
    }
}
