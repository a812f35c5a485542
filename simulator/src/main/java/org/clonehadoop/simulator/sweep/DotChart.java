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
package org.clonehadoop.simulator.sweep;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.figures.Svg;

/** Rows of dots with their intervals, beside the line at 1, as SVG. */
final class DotChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int RIGHT = 20;
    private static final int TOP = 60;
    private static final int BOTTOM = 34;
    private static final int DOT = 9;
    private static final double LETTER = 6.2;
    private static final List<String> COLOURS =
            List.of("#3f7cbf", "#d98324", "#2e8b57", "#a23b72", "#6b5b95", "#8b929c", "#c0392b");

    private final Svg svg;
    private final double least;
    private final double most;

    private DotChart(String title, int height, Collection<List<Interval>> rows) {
        svg = new Svg(WIDTH, height, title);
        double low = 1;
        double high = 1;
        for (List<Interval> row : rows) {
            for (Interval one : row) {
                low = Math.min(low, one.low());
                high = Math.max(high, one.high());
            }
        }
        double margin = Math.max(0.005, 0.03 * (high - low));
        least = low - margin;
        most = high + margin;
    }

    /**
     * @param key what the series differ in
     * @param series their names
     * @param rows by their labels, each with one interval for each series
     */
    static String svg(
            String title, String key, List<String> series, Map<String, List<Interval>> rows) {
        int rowHeight = DOT * series.size() + 8;
        int height = TOP + rowHeight * rows.size() + BOTTOM;
        DotChart chart = new DotChart(title, height, rows.values());
        chart.frame(title, key, series, height);
        int y = TOP;
        for (Map.Entry<String, List<Interval>> row : rows.entrySet()) {
            chart.row(row.getKey(), row.getValue(), y, rowHeight);
            y += rowHeight;
        }
        return chart.svg.text();
    }

    private void frame(String title, String key, List<String> series, int height) {
        svg.add(
                "<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"600\">%s</text>",
                Svg.escape(title));
        double x = 12;
        svg.text(x, 42, "start", key);
        x += key.isEmpty() ? 0 : LETTER * key.length() + 14;
        for (int i = 0; i < series.size(); i++) {
            dot(x, 38, colour(i));
            svg.text(x + 9, 42, "start", series.get(i));
            x += 26 + LETTER * series.get(i).length();
        }
        double step = step();
        for (double tick = Math.ceil(least / step) * step; tick <= most; tick += step) {
            boolean one = Math.abs(tick - 1) < step / 2;
            svg.line(x(tick), TOP, x(tick), height - BOTTOM, one ? Svg.INK : Svg.FAINT, 1);
            svg.text(x(tick), height - BOTTOM + 18, "middle", RuleCurves.number(tick));
        }
    }

    /** A round one, so that there are 4 to 10. */
    private double step() {
        double step = Math.pow(10, Math.floor(Math.log10(most - least)));
        return (most - least) / step >= 4 ? step : step / 4;
    }

    private void row(String label, List<Interval> dots, int y, int height) {
        svg.line(12, y, WIDTH - RIGHT, y, Svg.FAINT, 1);
        svg.text(LEFT - 10, y + height / 2.0 + 4, "end", label);
        for (int i = 0; i < dots.size(); i++) {
            double middle = y + 4 + DOT * (i + 0.5);
            svg.line(x(dots.get(i).low()), middle, x(dots.get(i).high()), middle, colour(i), 1.5);
            dot(x(dots.get(i).value()), middle, colour(i));
        }
    }

    private void dot(double x, double y, String colour) {
        svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>", x, y, colour);
    }

    private static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - least) / (most - least);
    }
}
