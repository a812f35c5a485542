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
package org.clonehadoop.simulator.requests.figures;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A picture of lines or bars, as SVG. */
record Chart(String name, String svg) {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 400;

    /**
     * @param name of its file, without suffix
     * @param logarithmic whether the y axis is
     */
    static Chart lines(
            String name,
            String title,
            String xTitle,
            String yTitle,
            boolean logarithmic,
            List<Line> lines) {
        System.setProperty("java.awt.headless", "true");
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(title)
                        .xAxisTitle(xTitle)
                        .yAxisTitle(yTitle)
                        .build();
        style(chart.getStyler());
        chart.getStyler().setYAxisLogarithmic(logarithmic);
        if (!logarithmic) {
            chart.getStyler().setYAxisMin(0.0);
        }
        lines.stream()
                .filter(line -> !line.x().isEmpty())
                .forEach(line -> chart.addSeries(line.name(), line.x(), line.y()));
        return new Chart(name, svg(chart));
    }

    /**
     * @param groups below the bars
     * @param series one bar of each in each group; their x isn't used
     */
    static Chart bars(
            String name, String title, String yTitle, List<String> groups, List<Line> series) {
        System.setProperty("java.awt.headless", "true");
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(title)
                        .yAxisTitle(yTitle)
                        .build();
        style(chart.getStyler());
        series.forEach(line -> chart.addSeries(line.name(), groups, line.y()));
        return new Chart(name, svg(chart));
    }

    private static void style(Styler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    }

    private static String svg(IChart chart) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ChartEncoder.saveChart(chart, bytes, "svg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
