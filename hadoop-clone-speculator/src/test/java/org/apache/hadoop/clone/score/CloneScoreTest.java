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
package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CloneScoreTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final double UNKNOWN = Double.NaN;

    // The paper's cluster: a JVM in 15 s, files at 100 MB/s, β = 1.2.
    private static final CloneCosts PAPER = new CloneCosts(1.2, 15_000, 100_000);

    private static CloneScore score(double remaining, double progress, double mean, long bytes) {
        return CloneScore.of(new RunningAttempt(remaining, progress, mean, bytes), PAPER);
    }

    @Test
    void theFormulaWithNumbers() {
        // t_clone = 1.2 · (15 s + 500 MB / 100 MB/s) = 24 s; a clone ends in 24 + 0.3 · 100 = 54 s.
        CloneScore score = score(200_000, 0.7, 100_000, 500_000_000);
        assertThat(PAPER.cloneMillis(500_000_000)).isCloseTo(24_000, within(1e-6));
        assertThat(score.cloneEndMillis()).isCloseTo(54_000, within(1e-6));
        assertThat(score.newEndMillis()).isEqualTo(100_000);
        assertThat(score.gainMillis()).isCloseTo(146_000, within(1e-6));
        assertThat(score.best()).isEqualTo(Outcome.CLONE);
    }

    @Test
    void whereCloningCostsMoreThanWhatIsDoneAnAttemptFromZeroIsBetter() {
        // 24 s for the clone, 20 s of work saved.
        CloneScore score = score(300_000, 0.2, 100_000, 500_000_000);
        assertThat(score.best()).isEqualTo(Outcome.NEW);
        assertThat(score.gainMillis()).isCloseTo(200_000, within(1e-6));
    }

    @Test
    void aContainerWaitsAsLongAsACloneTakesAndSaves() {
        // 24 s for the clone, 70 s of work that it need not do again.
        assertThat(score(200_000, 0.7, 100_000, 500_000_000).patienceMillis())
                .isCloseTo(94_000, within(1e-6));
        // 18 s, and none of the work.
        assertThat(score(200_000, 0, 100_000, 0).patienceMillis()).isCloseTo(18_000, within(1e-6));
    }

    @Test
    void withoutProgressThereIsNothingToClone() {
        assertThat(score(300_000, 0, 100_000, 0).best()).isEqualTo(Outcome.NEW);
        assertThat(score(300_000, UNKNOWN, 100_000, 0).best()).isEqualTo(Outcome.NEW);
    }

    @Test
    void anAttemptThatWouldEndFirstIsLeftAlone() {
        assertThat(score(10_000, 0.9, 100_000, 0).best()).isEqualTo(Outcome.NONE);
        // As soon as, but no sooner: 18 s for the clone, nothing left to do.
        assertThat(score(18_000, 1, 100_000, 0).best()).isEqualTo(Outcome.NONE);
        assertThat(score(18_001, 1, 100_000, 0).best()).isEqualTo(Outcome.CLONE);
    }

    @Test
    void oneThatNeverEndsGainsWithoutEnd() {
        CloneScore score = score(NEVER, 0.5, 100_000, 0);
        assertThat(score.gainMillis()).isEqualTo(NEVER);
        assertThat(score.best()).isEqualTo(Outcome.CLONE);
    }

    @Test
    void whatIsNotKnownIsNotGuessed() {
        assertThat(score(UNKNOWN, 0.5, 100_000, 0).best()).isEqualTo(Outcome.NONE);
        assertThat(score(300_000, 0.5, UNKNOWN, 0).best()).isEqualTo(Outcome.NONE);
        assertThat(score(300_000, 0.5, UNKNOWN, 0).gainMillis()).isNaN();
    }

    @Test
    void progressIsFromNoneToAll() {
        assertThat(score(300_000, 1.5, 100_000, 0).cloneEndMillis())
                .isEqualTo(score(300_000, 1, 100_000, 0).cloneEndMillis());
        assertThat(score(300_000, -1, 100_000, 0).cloneEndMillis())
                .isEqualTo(score(300_000, 0, 100_000, 0).cloneEndMillis());
    }

    @Test
    void aLargerBetaMakesClonesRarer() {
        RunningAttempt attempt = new RunningAttempt(300_000, 0.2, 100_000, 0);
        // 15 s, 18 s and 21 s against the 20 s that a clone saves.
        assertThat(CloneScore.of(attempt, new CloneCosts(1, 15_000, 1)).best())
                .isEqualTo(Outcome.CLONE);
        assertThat(CloneScore.of(attempt, new CloneCosts(1.2, 15_000, 1)).best())
                .isEqualTo(Outcome.CLONE);
        assertThat(CloneScore.of(attempt, new CloneCosts(1.4, 15_000, 1)).best())
                .isEqualTo(Outcome.NEW);
    }

    @Test
    void whatCannotBeClonedCanStillBeStartedAgain() {
        CloneScore score = score(200_000, 0.7, 100_000, 0).withoutClone();
        assertThat(score.best()).isEqualTo(Outcome.NEW);
        assertThat(score.gainMillis()).isEqualTo(100_000);
        assertThat(score(90_000, 0.7, 100_000, 0).withoutClone().best()).isEqualTo(Outcome.NONE);
    }

    @Test
    void impossibleCostsAreRefused() {
        assertThatThrownBy(() -> new CloneCosts(0.9, 1, 1)).hasMessageContaining("beta");
        assertThatThrownBy(() -> new CloneCosts(UNKNOWN, 1, 1)).hasMessageContaining("beta");
        assertThatThrownBy(() -> new CloneCosts(1, -1, 1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new CloneCosts(1, 1, 0)).hasMessageContaining("bandwidth");
        assertThatThrownBy(() -> PAPER.cloneMillis(-1)).hasMessageContaining("-1");
    }
}
