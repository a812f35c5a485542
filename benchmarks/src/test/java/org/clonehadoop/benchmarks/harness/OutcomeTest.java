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
import static org.assertj.core.api.Assertions.within;
import static org.clonehadoop.benchmarks.harness.Outcomes.ended;
import static org.clonehadoop.benchmarks.harness.Outcomes.growing;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final int DISKS = 6;

    @Test
    void moreAndMoreUnderWayIsUnstable() {
        assertThat(Outcome.grows(IntStream.range(0, 100).toArray(), DISKS)).isTrue();
    }

    @Test
    void manyUnderWayAllTheTimeIsNot() {
        assertThat(Outcome.grows(IntStream.range(0, 100).map(i -> 50).toArray(), DISKS)).isFalse();
    }

    @Test
    void twoADiskAreNothing() {
        assertThat(Outcome.grows(IntStream.range(0, 100).map(i -> i / 10).toArray(), DISKS))
                .isFalse();
    }

    @Test
    void whatHasNoEndHasNoPercentiles() {
        Outcome outcome = new Outcome(1);
        outcome.ended(5_000_000);
        assertThat(outcome.millis(99, DISKS)).isCloseTo(5, within(0.01));
        outcome.abandoned();
        assertThat(outcome.millis(99, DISKS)).isNaN();
    }

    @Test
    void ofTwoRunsAllRequestsCount() {
        Outcome sum = ended(1).plus(ended(3));
        assertThat(sum.requests()).isEqualTo(2);
        assertThat(sum.millis(50, DISKS)).isCloseTo(1, within(0.01));
        assertThat(sum.millis(99, DISKS)).isCloseTo(3, within(0.01));
        assertThat(sum.isUnstable(DISKS)).isFalse();
    }

    @Test
    void twoRunsAreUnstableIfOneIs() {
        assertThat(ended(1).plus(growing()).isUnstable(DISKS)).isTrue();
        assertThat(growing().plus(ended(1)).isUnstable(DISKS)).isTrue();
    }
}
