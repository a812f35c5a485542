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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatioPlotTest {
    /** The upper half of 0.47 (0.19–1.16), drawn downwards as well, would end below 0. */
    @Test
    void drawsBothEndsOfTheInterval() {
        MeanRatio ratio = new MeanRatio(0.47, 0.19, 1.1626, 5);
        double half = RatioPlot.halfInterval(ratio);
        double middle = Math.log(ratio.mean()) / Math.log(2);

        assertThat(Math.pow(2, middle + half)).isCloseTo(1.1626, within(1e-9));
        assertThat(Math.pow(2, middle - half)).isCloseTo(0.19, within(1e-4));
        assertThat(RatioPlot.halfInterval(MeanRatio.of(List.of(0.7)))).isZero();
    }

    @Test
    void itsAxisSaysRatios() {
        assertThat(RatioPlot.label(0)).isEqualTo("1.00");
        assertThat(RatioPlot.label(-1)).isEqualTo("0.50");
    }

    @Test
    void isAPictureAlsoOfASingleRun(@TempDir Path scratch) throws IOException {
        Path file = scratch.resolve("ratios.svg");
        MeanRatio several = MeanRatio.of(List.of(0.5, 0.6, 0.4));
        MeanRatio one = MeanRatio.of(List.of(0.7));
        new RatioPlot("Times", Map.of("late-map", several, "even", one)).write(file);

        assertThat(Files.readString(file).contains("<svg")).isTrue();
    }
}
