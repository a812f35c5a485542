package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    void describesThisMachine() throws IOException {
        assertThat(Environment.describe())
                .containsEntry("cores", Runtime.getRuntime().availableProcessors())
                .containsEntry("kernel", "Linux " + System.getProperty("os.version"))
                .containsKeys("cpu", "memory_mb", "jdk", "load_before");
    }

    @Test
    void knowsHowMuchMemoryIsLeft() throws IOException {
        assertThat(Environment.availableMegabytes()).isPositive();
        assertThat(Environment.sharedKilobytes()).isNotNegative();
    }
}
