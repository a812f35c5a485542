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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MergeRuleTest {
    @Test
    void asManyAsTheFactorAreMergedAtOnce() {
        assertThat(MergeRule.rewritten(100, 100)).isZero();
        assertThat(MergeRule.rewritten(1, 10)).isZero();
    }

    /** 11 streams, 10 at once: the first pass merges 2 of them, so that the last one is full. */
    @Test
    void theFirstPassMergesNoMoreThanItMust() {
        assertThat(MergeRule.rewritten(11, 10)).isCloseTo(2 / 11.0, within(1e-9));
    }

    /** 100 streams, 10 at once: all are written once before the last merge. */
    @Test
    void aFullTreeOfTwoLevelsWritesAllOnce() {
        assertThat(MergeRule.rewritten(100, 10)).isCloseTo(1, within(0.02));
    }

    @Test
    void moreSegmentsAreNeverWrittenLess() {
        double before = 0;
        for (int segments = 10; segments <= 100; segments += 9) {
            assertThat(MergeRule.rewritten(segments, 10)).isGreaterThanOrEqualTo(before);
            before = MergeRule.rewritten(segments, 10);
        }
    }
}
