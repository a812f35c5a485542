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
package org.clonehadoop.benchmarks.remoteclone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadLogTest {
    private final LoadLog log =
            LoadLog.parse(
                    """
                    50 1000 pid:[1] 1200 1000
                    100 1050 pid:[1] 1100 1500
                    101 1300 pid:[1] 200000 1600
                    150 1350 pid:[1] 1300 2600
                    151 2000 pid:[2] 1400 2700
                    20""");

    @Test
    void leavesOutTheHalfWrittenLine() {
        assertThat(log.windows()).hasSize(5);
        assertThat(LoadLog.parse("50 1000 pid:[1]").isEmpty()).isTrue();
    }

    @Test
    void cutsByTheWallClock() {
        LoadLog middle = log.between(1050, 1300);
        assertThat(middle.first().ticks()).isEqualTo(100);
        assertThat(middle.last().ticks()).isEqualTo(101);
    }

    @Test
    void findsTheCloneByItsNamespace() {
        assertThat(log.ofClone().windows()).hasSize(1);
        assertThat(log.ofClone().first().wallMs()).isEqualTo(2000);
    }

    @Test
    void knowsGapsAndThroughput() {
        assertThat(log.longestGapMs()).isEqualTo(200);
        assertThat(log.usualGapMs()).isEqualTo(1.3);
        assertThat(log.between(1000, 1050).recordsPerMs()).isEqualTo(10);
    }
}
