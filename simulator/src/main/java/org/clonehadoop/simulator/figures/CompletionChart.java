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

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** How many tasks are left over time, and when second attempts were ordered, as SVG. */
final class CompletionChart {
    /**
     * @param left at each of {@link #times()}
     * @param ordersOfNew when attempts from zero were ordered
     * @param ordersOfClones when clones were
     */
    record Curve(
            String colour,
            List<Double> left,
            List<Double> ordersOfNew,
            List<Double> ordersOfClones) {}

    private static final int WIDTH = 560;
    private static final int LEFT = 48;
    private static final int RIGHT = 12;
    private static final int TOP = 34;
    private static final int PLOT = 210;
    private static final int STRIP = 16;
    private static final int AXIS = 64;
    private static final double LONGEST = 1.1;
    private static final int STEPS = 220;

    private final Svg svg;
    private final List<Curve> curves;
    private final double most;

    private CompletionChart(String title, List<Curve> curves) {
        this.curves = curves;
        svg = new Svg(WIDTH, bottom() + AXIS, title);
        most = curves.stream().mapToDouble(curve -> curve.left().get(0)).max().orElse(1);
    }

    /** Those at which a curve says what is left. */
    static DoubleStream times() {
        return DoubleStream.iterate(0, time -> time + LONGEST / STEPS).limit(STEPS + 1);
    }

    static String svg(String title, List<Curve> curves) {
        return new CompletionChart(title, curves).draw(title);
    }

    private String draw(String title) {
        svg.add(
                "<text x=\"%d\" y=\"18\" font-size=\"14\" font-weight=\"600\">%s</text>",
                LEFT, Svg.escape(title));
        svg.text(WIDTH - RIGHT, 18, "end", "tasks left");
        for (int quarter = 0; quarter <= 4; quarter++) {
            double left = most * quarter / 4;
            svg.line(LEFT, y(left), WIDTH - RIGHT, y(left), Svg.FAINT, 1);
            svg.text(LEFT - 6, y(left) + 4, "end", String.valueOf(Math.round(left)));
        }
        for (int tenth = 0; tenth <= 10; tenth += 2) {
            svg.line(x(tenth / 10.0), TOP, x(tenth / 10.0), bottom(), Svg.FAINT, 1);
            svg.text(
                    x(tenth / 10.0),
                    bottom() + 16,
                    "middle",
                    String.format(Locale.ROOT, "%.1f", tenth / 10.0));
        }
        svg.text(
                (LEFT + WIDTH - RIGHT) / 2.0,
                bottom() + 34,
                "middle",
                "time over the job's with LATE; ◇ new attempt ordered, × clone ordered");
        svg.legend(LEFT, bottom() + AXIS - 10);
        for (int i = 0; i < curves.size(); i++) {
            draw(curves.get(i), TOP + PLOT + STRIP * (i + 1));
        }
        return svg.text();
    }

    private void draw(Curve curve, double strip) {
        StringBuilder path = new StringBuilder();
        double[] times = times().toArray();
        for (int i = 0; i < times.length; i++) {
            path.append(i == 0 ? 'M' : 'L')
                    .append(
                            String.format(
                                    Locale.ROOT, "%.1f %.1f", x(times[i]), y(curve.left().get(i))));
        }
        svg.add(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                path, curve.colour());
        svg.line(LEFT, strip, WIDTH - RIGHT, strip, Svg.FAINT, 1);
        curve.ordersOfNew().forEach(time -> mark("M-4 0L0 -4L4 0L0 4Z", time, strip, curve));
        curve.ordersOfClones().forEach(time -> mark("M-3 -3L3 3M-3 3L3 -3", time, strip, curve));
    }

    private void mark(String shape, double time, double strip, Curve curve) {
        if (time <= LONGEST) {
            svg.add(
                    "<path d=\"%s\" transform=\"translate(%.1f %.1f)\" fill=\"none\""
                            + " stroke=\"%s\" stroke-opacity=\"0.55\"/>",
                    shape, x(time), strip, curve.colour());
        }
    }

    private int bottom() {
        return TOP + PLOT + STRIP * (curves.size() + 1);
    }

    private static double x(double time) {
        return LEFT + (WIDTH - LEFT - RIGHT) * time / LONGEST;
    }

    private double y(double left) {
        return TOP + PLOT * (1 - left / most);
    }
}
