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

import java.util.Locale;

/** An SVG picture, from its background on. */
public final class Svg {
    public static final String INK = "#23272e";
    public static final String FAINT = "#e3e6ea";

    /** How wide one is at most in a legend, in the mean. */
    private static final double LETTER = 5.6;

    private final StringBuilder elements = new StringBuilder();

    public Svg(int width, int height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " aria-label=\"%s\" font-family=\"system-ui, sans-serif\""
                        + " font-size=\"12\" fill=\"%s\">",
                width, height, escape(title), INK);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
    }

    /**
     * @param element with its values, as {@link String#format}
     */
    public void add(String element, Object... values) {
        elements.append(String.format(Locale.ROOT, element, values)).append('\n');
    }

    /**
     * @param anchor start, middle or end
     */
    public void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escape(text));
    }

    public void line(double x1, double y1, double x2, double y2, String colour, double width) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                        + " stroke-width=\"%.1f\"/>",
                x1, y1, x2, y2, colour, width);
    }

    public void box(
            double x, double y, double width, double height, String colour, double opacity) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\""
                        + " fill-opacity=\"%.2f\"/>",
                x, y, width, height, colour, opacity);
    }

    /** Which colour is which variant's, from left to right. */
    void legend(double left, double y) {
        double x = left;
        for (Variant variant : Variant.values()) {
            box(x, y - 8, 9, 9, variant.colour, 1);
            add(
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\">%s</text>",
                    x + 13, y, escape(variant.title));
            x += 24 + LETTER * variant.title.length();
        }
    }

    /** The whole file. */
    public String text() {
        return elements + "</svg>\n";
    }

    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
