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
package org.clonehadoop.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.benchmarks.jobs.NetworkPlot.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NetworkPlotTest {
    private static final List<String> SAMPLES =
            List.of("900 5000000", "1500 6000000", "2000 6500000", "3100 9000000");

    @TempDir Path dir;

    @Test
    void countsFromTheJobsSubmissionToItsEnd() throws IOException {
        assertThat(NetworkPlot.points(SAMPLES, 1000, 3000))
                .containsExactly(new Point(0.5, 0), new Point(1, 0.5));
    }

    @Test
    void wantsSamplesOfTheJob() {
        assertThatThrownBy(() -> NetworkPlot.points(SAMPLES, 4000, 5000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no samples");
    }

    @Test
    void drawsALineForEachJob() throws IOException {
        assertThat(draw("one")).contains("<svg").hasSizeLessThan(draw("one", "other").length());
    }

    private String draw(String... names) throws IOException {
        Path samples = Files.write(dir.resolve("samples"), SAMPLES);
        Path job =
                Files.writeString(
                        dir.resolve("job"), "{\"submitMillis\": 1000, \"finishMillis\": 3000}");
        Path svg = dir.resolve("plot.svg");
        List<String> arguments = new ArrayList<>(List.of("--title=bytes", "--svg=" + svg));
        for (String name : names) {
            arguments.addAll(List.of(name, samples.toString(), job.toString()));
        }
        int status = new CommandLine(new NetworkPlot()).execute(arguments.toArray(String[]::new));
        assertThat(status).isZero();
        return Files.readString(svg);
    }
}
