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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.clonehadoop.benchmarks.harness.Svg;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A dot for each ratio, with its interval, as SVG: below the line at 1 is quicker than Hadoop. */
final class RatioPlot {
    private static final String HADOOP = "Hadoop";
    private static final String CLONE_HADOOP = "CloneHadoop";
    private static final double LEAST_TOP = 1.1; // so that Hadoop's line is within

    private final CategoryChart chart;

    /**
     * @param ratios by what they are of, in order
     */
    RatioPlot(String title, Map<String, MeanRatio> ratios) {
        System.setProperty("java.awt.headless", "true");
        chart =
                new CategoryChartBuilder()
                        .width(800)
                        .height(420)
                        .title(title)
                        .yAxisTitle("over Hadoop's")
                        .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
        chart.getStyler().setXAxisLabelRotation(30);
        chart.getStyler().setYAxisMin(0.0);
        List<String> names = List.copyOf(ratios.keySet());
        chart.addSeries(HADOOP, names, Collections.nCopies(names.size(), 1.0))
                .setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Line)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(Color.DARK_GRAY);
        chart.getStyler()
                .setYAxisMax(
                        ratios.values().stream()
                                .mapToDouble(ratio -> ratio.mean() + halfInterval(ratio))
                                .reduce(LEAST_TOP, Math::max));
        chart.addSeries(
                CLONE_HADOOP,
                names,
                ratios.values().stream().map(MeanRatio::mean).toList(),
                ratios.values().stream().map(RatioPlot::halfInterval).toList());
    }

    // The interval is one of logarithms: its upper half is the longer one.
    private static double halfInterval(MeanRatio ratio) {
        return ratio.count() == 1 ? 0 : ratio.high() - ratio.mean();
    }

    void write(Path file) throws IOException {
        Svg.write(chart, file);
    }
}
