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

/** Groups of bars, each perhaps of several parts, with their spread and their band, as SVG. */
final class BarChart {
    /**
     * @param colour of the lowest part; those above are lighter
     * @param parts of its height, from below
     * @param spread of the whole height
     * @param bandLow the least height with other assumptions
     * @param bandHigh the greatest
     */
    record Bar(
            String colour, List<Double> parts, Interval spread, double bandLow, double bandHigh) {
        private double top() {
            return Math.max(Math.max(spread.high(), bandHigh), spread.value());
        }
    }

    /**
     * @param label below its bars
     */
    record Group(String label, List<Bar> bars) {}

    private static final int WIDTH = 560;
    private static final int HEIGHT = 344;
    private static final int LEFT = 48;
    private static final int RIGHT = 12;
    private static final int TOP = 34;
    private static final int BOTTOM = 72;
    private static final double[] OPACITIES = {0.95, 0.65, 0.38};

    private final Svg svg;
    private final List<Group> groups;
    private final double most;

    private BarChart(String title, List<Group> groups) {
        this.groups = groups;
        svg = new Svg(WIDTH, HEIGHT, title);
        most =
                groups.stream()
                                .flatMap(group -> group.bars().stream())
                                .mapToDouble(Bar::top)
                                .max()
                                .orElse(1)
                        * 1.05;
    }

    /**
     * @param xTitle empty if the labels say it
     */
    static String svg(String title, String xTitle, String yTitle, List<Group> groups) {
        return new BarChart(title, groups).draw(title, xTitle, yTitle);
    }

    private String draw(String title, String xTitle, String yTitle) {
        svg.add(
                "<text x=\"%d\" y=\"18\" font-size=\"14\" font-weight=\"600\">%s</text>",
                LEFT, Svg.escape(title));
        svg.text(WIDTH - RIGHT, 18, "end", yTitle);
        double step = most > 2.5 ? 1 : 0.25;
        for (double tick = 0; tick <= most; tick += step) {
            boolean hadoops = tick == 1;
            svg.line(
                    LEFT,
                    y(tick),
                    WIDTH - RIGHT,
                    y(tick),
                    hadoops ? "#9aa1ab" : Svg.FAINT,
                    hadoops ? 1.5 : 1);
            svg.text(LEFT - 6, y(tick) + 4, "end", String.valueOf(tick));
        }
        double groupWidth = (double) (WIDTH - LEFT - RIGHT) / groups.size();
        for (int i = 0; i < groups.size(); i++) {
            draw(groups.get(i), LEFT + i * groupWidth, groupWidth);
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 34, "middle", xTitle);
        svg.legend(LEFT, HEIGHT - 10);
        return svg.text();
    }

    private void draw(Group group, double left, double width) {
        svg.text(left + width / 2, HEIGHT - BOTTOM + 18, "middle", group.label());
        double slot = Math.min(64, width * 0.84 / group.bars().size());
        double x = left + (width - slot * group.bars().size()) / 2;
        for (Bar bar : group.bars()) {
            draw(bar, x + slot * 0.08, slot * 0.84);
            x += slot;
        }
    }

    private void draw(Bar bar, double x, double width) {
        double below = 0;
        for (int i = 0; i < bar.parts().size(); i++) {
            double above = below + bar.parts().get(i);
            svg.box(x, y(above), width, y(below) - y(above), bar.colour(), OPACITIES[i]);
            below = above;
        }
        double middle = x + width / 2;
        svg.box(
                middle - width * 0.34,
                y(bar.bandHigh()),
                width * 0.68,
                y(bar.bandLow()) - y(bar.bandHigh()),
                Svg.INK,
                0.16);
        Interval spread = bar.spread();
        svg.line(middle, y(spread.low()), middle, y(spread.high()), Svg.INK, 1.5);
        svg.line(middle - 4, y(spread.low()), middle + 4, y(spread.low()), Svg.INK, 1.5);
        svg.line(middle - 4, y(spread.high()), middle + 4, y(spread.high()), Svg.INK, 1.5);
        svg.add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\""
                        + " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">"
                        + "%.2f</text>",
                middle, y(bar.top()) - 4, spread.value());
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most;
    }
}
