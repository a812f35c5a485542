package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcFileTest {
    private final ProcFile file =
            new ProcFile(
                    List.of(
                            "MemTotal:       24000000 kB",
                            "Mem:  7 kB",
                            "model name\t: Some CPU @ 2.00GHz: fast",
                            "Empty:"));

    @Test
    void findsTheWholeName() {
        assertThat(file.kilobytes("Mem")).isEqualTo(7);
        assertThat(file.kilobytes("MemTotal")).isEqualTo(24_000_000);
    }

    @Test
    void takesAllAfterTheFirstColon() {
        assertThat(file.text("model name")).contains("Some CPU @ 2.00GHz: fast");
        assertThat(file.text("Empty")).contains("");
    }

    @Test
    void missesWhatIsNotThere() {
        assertThat(file.text("model")).isEmpty();
        assertThat(file.kilobytes("RssAnon")).isZero();
    }
}
