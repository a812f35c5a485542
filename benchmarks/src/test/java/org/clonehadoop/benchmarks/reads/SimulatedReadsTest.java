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
package org.clonehadoop.benchmarks.reads;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulatedReadsTest {
    @ParameterizedTest
    @CsvSource({
        "--disks, 1, '--disks is 2 at least, the second for duplicates, not 1'",
        "--kb, 63, '--kb is one packet at least, 64, not 63'",
        "--disk-mb, 0, '--disk-mb is more than 0, not 0.0'",
        "--seconds, 0, '--seconds and --seeds are 1 at least'",
        "--seeds, 0, '--seconds and --seeds are 1 at least'",
        "--limit, -1, '--limit is a number from 0, not -1'",
        "--loads, 0, '--loads are percent, from 1 to 100, not [0]'",
    })
    void whatCantBeSimulatedIsSaidInOneLine(String option, String value, String said) {
        SimulatedReads reads = new SimulatedReads();
        new CommandLine(reads).parseArgs(option, value);
        assertThatThrownBy(reads::call).isInstanceOf(IOException.class).hasMessage(said);
    }
}
