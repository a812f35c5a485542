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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoundTest {
    @Test
    void sortsByNumberWithinASession() {
        assertThat(
                        Stream.of("20261126T1Z-10", "20261126T1Z-9", "20261125T1Z-11")
                                .map(Round::of)
                                .sorted()
                                .map(round -> round.session() + " " + round.number()))
                .containsExactly("20261125T1Z 11", "20261126T1Z 9", "20261126T1Z 10");
    }

    @Test
    void saysItsDay() {
        assertThat(Round.of("20261126T040355Z-1").day()).isEqualTo("2026-11-26");
        assertThat(Round.of("x").day()).isEqualTo("x");
        assertThat(Round.of("x").number()).isZero();
    }
}
