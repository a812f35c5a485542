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

import org.junit.jupiter.api.Test;

class GoalTest {
    @Test
    void isMetAtItsLimit() {
        assertThat(Goal.atMost(1).isMetBy(1)).isTrue();
        assertThat(Goal.atLeast(1).isMetBy(1)).isTrue();
    }

    @Test
    void isMissedBeyondItsLimit() {
        assertThat(Goal.atMost(1).isMetBy(1.01)).isFalse();
        assertThat(Goal.atLeast(1).isMetBy(0.99)).isFalse();
    }

    @Test
    void saysWhatItWants() {
        assertThat(Goal.atMost(100).judge(99, Unit.MILLISECONDS)).isEqualTo("<= 100.0");
        assertThat(Goal.atLeast(1).judge(0.5, Unit.RATIO)).isEqualTo("MISSED >= 1.000");
    }
}
