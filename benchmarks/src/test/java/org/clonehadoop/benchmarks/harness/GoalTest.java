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
