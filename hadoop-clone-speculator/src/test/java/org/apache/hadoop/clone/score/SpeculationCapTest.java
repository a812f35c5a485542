package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeculationCapTest {
    private final SpeculationCap stock = new SpeculationCap(10, 0.01, 0.1);

    @Test
    void theLargestLimitCounts() {
        assertThat(stock.allowed(20, 20)).isEqualTo(10);
        assertThat(stock.allowed(5000, 100)).isEqualTo(50);
        assertThat(stock.allowed(5000, 900)).isEqualTo(90);
    }

    @Test
    void partsOfATaskDoNotCount() {
        assertThat(new SpeculationCap(0, 0.01, 0.1).allowed(99, 9)).isZero();
        assertThat(new SpeculationCap(0, 0.01, 0.1).allowed(100, 9)).isEqualTo(1);
    }

    @Test
    void nothingAllowedIsNothing() {
        assertThat(new SpeculationCap(0, 0, 0).allowed(1000, 1000)).isZero();
    }
}
