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

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.clonehadoop.benchmarks.harness.Svg;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** A heat map over onset and factor, as SVG: green is quicker than Hadoop, red slower. */
final class OnsetPlot {
    private static final Color[] QUICKER_TO_SLOWER = {
        new Color(0x1a9850), new Color(0xffffff), new Color(0xd73027)
    };

    private final HeatMapChart chart;

    /**
     * @param percents from the least on
     * @param factors from the least on
     * @param ratio by percent and factor; a point without one stays blank
     */
    OnsetPlot(
            String title,
            List<Integer> percents,
            List<Integer> factors,
            BiFunction<Integer, Integer, Optional<Double>> ratio) {
        System.setProperty("java.awt.headless", "true");
        chart =
                new HeatMapChartBuilder()
                        .width(480)
                        .height(360)
                        .title(title)
                        .xAxisTitle("times slower")
                        .yAxisTitle("after % of its records")
                        .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setRangeColors(QUICKER_TO_SLOWER);
        chart.getStyler().setMin(0).setMax(2); // so that 1 is white
        chart.getStyler().setShowValue(true);
        chart.getStyler().setHeatMapValueDecimalPattern("0.00");
        List<Number[]> cells = new ArrayList<>();
        for (int x = 0; x < factors.size(); x++) {
            for (int y = 0; y < percents.size(); y++) {
                Number[] place = {x, y};
                ratio.apply(percents.get(y), factors.get(x))
                        .ifPresent(value -> cells.add(new Number[] {place[0], place[1], value}));
            }
        }
        chart.addSeries("over Hadoop's", factors, percents, cells);
    }

    void write(Path file) throws IOException {
        Svg.write(chart, file);
    }
}
