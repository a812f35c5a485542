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

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcFileTest {
    private final ProcFile file =
            new ProcFile(
                    List.of(
                            "MemTotal:       24000000 kB",
                            "Mem:  7 kB",
                            "model name\t: Some CPU @ 2.00GHz: fast",
                            "Empty:"));

    @Test
    void findsTheWholeName() {
        assertThat(file.kilobytes("Mem")).isEqualTo(7);
        assertThat(file.kilobytes("MemTotal")).isEqualTo(24_000_000);
    }

    @Test
    void takesAllAfterTheFirstColon() {
        assertThat(file.text("model name")).contains("Some CPU @ 2.00GHz: fast");
        assertThat(file.text("Empty")).contains("");
    }

    @Test
    void missesWhatIsNotThere() {
        assertThat(file.text("model")).isEmpty();
        assertThat(file.kilobytes("RssAnon")).isZero();
    }
}
