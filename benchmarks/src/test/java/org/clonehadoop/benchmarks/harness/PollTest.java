package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollTest {
    @Test
    void looksUntilTheConditionHolds() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Poll.until("three looks", Duration.ofMinutes(1), () -> looks.incrementAndGet() == 3);
        assertThat(looks).hasValue(3);
    }

    @Test
    void saysWhatItWaitedFor() {
        assertThatThrownBy(() -> Poll.until("a miracle", Duration.ZERO, () -> false))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("a miracle");
    }
}
