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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.clone.shuffle.BoundaryDistance;
import org.junit.jupiter.api.Test;

/** Times are nanoseconds, sizes bytes; the clock begins at a time that means nothing. */
class BoundaryWaitTest {
    private static final long PATIENCE = 1000;
    private static final long START = -77;

    private final BoundaryWait wait = new BoundaryWait(PATIENCE);

    @Test
    void stopsAtOnceAtABoundary() {
        assertThat(wait.mayStop(at(0), START)).isTrue();
        assertThat(wait.atBoundary()).isTrue();
    }

    @Test
    void goesOnToABoundaryThatIsNear() {
        for (int i = 0; i < 90; i++) {
            assertThat(wait.mayStop(at(900 - 10 * i), START + 10 * i)).as("at %d", i).isFalse();
        }
        assertThat(wait.atBoundary()).isFalse();
        assertThat(wait.mayStop(at(0), START + 900)).isTrue();
        assertThat(wait.atBoundary()).isTrue();
    }

    @Test
    void looksAtTheSpeedForAWhileBeforeItGivesUp() {
        assertThat(wait.mayStop(at(1_000_000), START)).isFalse();
        assertThat(wait.mayStop(at(1_000_000), START + 99)).isFalse();
        assertThat(wait.mayStop(at(1_000_000), START + 100)).isTrue();
        assertThat(wait.atBoundary()).isFalse();
    }

    @Test
    void stopsWhereItIsIfTheBoundaryIsFar() {
        assertThat(wait.mayStop(at(1002), START)).isFalse();
        assertThat(wait.mayStop(at(902), START + 100)).as("902 of 900").isTrue();
    }

    @Test
    void stopsWhereItIsWhenTheMapGetsSlow() {
        assertThat(wait.mayStop(at(800), START)).isFalse();
        assertThat(wait.mayStop(at(600), START + 200)).isFalse();
        assertThat(wait.mayStop(at(500), START + 400)).as("667 of 600").isTrue();
    }

    /** It may stop, and can't yet, as something is being written. */
    @Test
    void waitsForNoFurtherBoundaryOnceItHasGivenUp() {
        assertThat(wait.mayStop(at(5000), START)).isFalse();
        assertThat(wait.mayStop(at(4990), START + 100)).isTrue();
        assertThat(wait.mayStop(at(10), START + 101)).isTrue();
        assertThat(wait.mayStop(at(0), START + 102)).isTrue();
        assertThat(wait.atBoundary()).isTrue();
        assertThat(wait.mayStop(at(200), START + 103)).isTrue();
        assertThat(wait.atBoundary()).isFalse();
    }

    @Test
    void waitsNeverWithoutPatience() {
        BoundaryWait impatient = new BoundaryWait(0);
        assertThat(impatient.mayStop(at(1), START)).isTrue();
        assertThat(impatient.mayStop(at(0), START)).isTrue();
        assertThat(impatient.atBoundary()).isFalse();
    }

    /** It takes its time until the larger buffer is written, too. */
    @Test
    void doesNotWaitForASpillThatTakesLongToBeWritten() {
        assertThat(wait.mayStop(new BoundaryDistance(300, 500), START)).isFalse();
        assertThat(wait.mayStop(new BoundaryDistance(200, 500), START + 100)).isFalse();
        assertThat(wait.mayStop(new BoundaryDistance(100, 801), START + 200)).isTrue();
    }

    @Test
    void doesNotWaitForASpillOfWhichNobodyKnowsHowLongItTakes() {
        assertThat(wait.mayStop(new BoundaryDistance(9, BoundaryDistance.UNKNOWN), START))
                .isFalse();
        assertThat(wait.mayStop(new BoundaryDistance(1, BoundaryDistance.UNKNOWN), START + 100))
                .isTrue();
    }

    /** It does nothing but wait for what is being written. */
    @Test
    void waitsForASpillThatWillBeWrittenSoon() {
        assertThat(wait.mayStop(new BoundaryDistance(0, 900), START)).isFalse();
        assertThat(wait.mayStop(new BoundaryDistance(0, 1), START + 900)).isFalse();
        assertThat(wait.mayStop(new BoundaryDistance(0, 1), START + 1000)).as("or not").isTrue();
        assertThat(wait.atBoundary()).isFalse();
    }

    @Test
    void looksForNoSpeedWhereItDoesNotMove() {
        assertThat(wait.mayStop(new BoundaryDistance(0, 1001), START)).isTrue();
    }

    private static BoundaryDistance at(long bytes) {
        return new BoundaryDistance(bytes, 0);
    }
}
