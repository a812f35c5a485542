package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    @Test
    void isTheEstimateLessWhatHasPassed() {
        assertThat(RemainingTime.of(100, 30, 0.4, false)).isEqualTo(70);
    }

    @Test
    void anAttemptThatOutlivedItsEstimateGoesOnAtItsPace() {
        // 40 % in 120 ms: the other 60 % take 180.
        assertThat(RemainingTime.of(100, 120, 0.4, false)).isEqualTo(180);
        assertThat(RemainingTime.of(100, 100, 0.5, false)).isEqualTo(100);
    }

    @Test
    void aSilentAttemptsEstimateIsOnlyTheLeast() {
        assertThat(RemainingTime.of(100, 80, 0.5, true)).isEqualTo(80);
        assertThat(RemainingTime.of(500, 80, 0.5, true)).isEqualTo(420);
    }

    @Test
    void withoutProgressItNeverEnds() {
        assertThat(RemainingTime.of(100, 120, 0, false)).isInfinite();
        assertThat(RemainingTime.of(-1, 120, 0, true)).isInfinite();
    }

    @Test
    void withoutEstimateItIsTooEarlyToTell() {
        assertThat(RemainingTime.of(-1, 5, 0.1, false)).isNaN();
        assertThat(RemainingTime.of(0, 5, 0.1, false)).isNaN();
    }

    @Test
    void aDoneOneHasNothingLeft() {
        assertThat(RemainingTime.of(100, 120, 1, false)).isZero();
    }
}
