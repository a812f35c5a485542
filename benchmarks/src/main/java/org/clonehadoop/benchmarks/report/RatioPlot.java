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
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.benchmarks.harness.Svg;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A dot for each ratio, with its interval, as SVG: below the line at 1 is quicker than Hadoop. The
 * axis is logarithmic, as the interval is: what is as far above the dot as below it, is so.
 */
final class RatioPlot {
    private static final String HADOOP = "Hadoop";
    private static final String CLONE_HADOOP = "CloneHadoop";
    private static final double MARGIN = 0.1;

    private final CategoryChart chart;

    /**
     * @param ratios by what they are of, in order
     */
    RatioPlot(String title, Map<String, MeanRatio> ratios) {
        System.setProperty("java.awt.headless", "true");
        chart =
                new CategoryChartBuilder()
                        .width(800)
                        .height(520)
                        .title(title)
                        .yAxisTitle("over Hadoop's, each step by as much")
                        .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
        chart.getStyler().setXAxisLabelRotation(90);
        chart.getStyler().setXAxisMaxLabelCount(ratios.size());
        chart.getStyler().setOverlapped(true);
        chart.getStyler().setYAxisTickLabelsFormattingFunction(RatioPlot::label);
        List<String> names = List.copyOf(ratios.keySet());
        chart.addSeries(HADOOP, names, Collections.nCopies(names.size(), 0.0))
                .setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Line)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(Color.DARK_GRAY);
        List<Double> middles = ratios.values().stream().map(ratio -> log(ratio.mean())).toList();
        List<Double> halves = ratios.values().stream().map(RatioPlot::halfInterval).toList();
        chart.addSeries(CLONE_HADOOP, names, middles, halves);
        chart.getStyler().setYAxisMin(-MARGIN + least(ratios));
        chart.getStyler().setYAxisMax(MARGIN + greatest(ratios));
    }

    // Hadoop's line, at 0, is to be within.
    private static double least(Map<String, MeanRatio> ratios) {
        return ratios.values().stream()
                .mapToDouble(ratio -> log(ratio.mean()) - halfInterval(ratio))
                .reduce(0, Math::min);
    }

    private static double greatest(Map<String, MeanRatio> ratios) {
        return ratios.values().stream()
                .mapToDouble(ratio -> log(ratio.mean()) + halfInterval(ratio))
                .reduce(0, Math::max);
    }

    private static double log(double ratio) {
        return Math.log(ratio) / Math.log(2);
    }

    /** What stands at such a place of the axis. */
    static String label(double log) {
        return String.format(Locale.ROOT, "%.2f", Math.pow(2, log));
    }

    /** On the axis: the same on both sides. */
    static double halfInterval(MeanRatio ratio) {
        return ratio.count() == 1 ? 0 : log(ratio.high()) - log(ratio.mean());
    }

    void write(Path file) throws IOException {
        Svg.write(chart, file);
    }
}
