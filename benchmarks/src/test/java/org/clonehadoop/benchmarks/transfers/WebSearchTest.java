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
package org.clonehadoop.benchmarks.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WebSearchTest {
    @Test
    void halfOfTheFlowsAreShort() {
        assertThat(WebSearch.bytes(0)).isEqualTo(146);
        // 53 % have 53 packets at most, of which a tenth is asked for.
        assertThat(WebSearch.bytes(0.53)).isEqualTo(7738);
        assertThat(WebSearch.bytes(0.5)).isLessThan(7738);
    }

    @Test
    void longerOnesAreRarer() {
        assertThat(WebSearch.bytes(0.97)).isEqualTo(973_382);
        assertThat(WebSearch.bytes(0.999_999)).isBetween(2_900_000, 2_920_000);
    }
}
