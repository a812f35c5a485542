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
package org.clonehadoop.simulator.figures;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.Styler;

/** Groups of bars, as SVG. */
final class Bars {
    private final CategoryChart chart;

    Bars(String title, String xTitle, String yTitle) {
        System.setProperty("java.awt.headless", "true");
        chart =
                new CategoryChartBuilder()
                        .width(800)
                        .height(420)
                        .title(title)
                        .xAxisTitle(xTitle)
                        .yAxisTitle(yTitle)
                        .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisMin(0.0);
    }

    void add(String series, List<String> points, List<Double> heights) {
        chart.addSeries(series, points, heights);
    }

    String svg() throws IOException {
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        ChartEncoder.saveChart(chart, svg, "svg");
        return svg.toString(StandardCharsets.UTF_8);
    }
}
