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
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    void describesThisMachine() throws IOException {
        assertThat(Environment.describe())
                .containsEntry("cores", Runtime.getRuntime().availableProcessors())
                .containsEntry("kernel", "Linux " + System.getProperty("os.version"))
                .containsKeys("cpu", "memory_mb", "jdk", "load_before");
    }

    @Test
    void saysNothingOfACommandWithoutARunScript() throws IOException {
        assumeThat(System.getenv("BENCHMARK_COMMAND")).isNull();
        assertThat(Environment.describe()).doesNotContainKeys("command", "commit");
    }

    @Test
    void knowsHowMuchMemoryIsLeft() throws IOException {
        assertThat(Environment.availableMegabytes()).isPositive();
        assertThat(Environment.sharedKilobytes()).isNotNegative();
    }
}
