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
package org.clonehadoop.report;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A job's attempts over time, each a bar in a lane of its own; a clone branches off its original at
 * the moment of its launch. A pure function from a job to SVG.
 */
public final class SwimLanes {
    private static final int LABEL = 190;
    private static final int CHART = 760;
    private static final int LANE = 22;
    private static final int BAR = 14;
    private static final int TOP = 56;
    private static final int BOTTOM = 34;

    private final Job job;
    private final StringBuilder svg = new StringBuilder();
    private final Map<String, Integer> lanes = new HashMap<>();

    private SwimLanes(Job job) {
        this.job = job;
        for (Attempt attempt : job.attempts()) {
            lanes.put(attempt.id(), lanes.size());
        }
    }

    public static String svg(String title, Job job) {
        return new SwimLanes(job).draw(title);
    }

    private String draw(String title) {
        int width = LABEL + CHART + 20;
        int height = TOP + job.attempts().size() * LANE + BOTTOM;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                width, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
        line(
                "<text x=\"10\" y=\"20\" font-size=\"15\">%s: %.1f s</text>",
                escape(title), job.seconds());
        legend();
        axis();
        job.attempts().forEach(this::lane);
        job.attempts().forEach(this::branch);
        line("</svg>");
        return svg.toString();
    }

    private void legend() {
        double x = LABEL;
        for (String state : List.of("won", "killed", "failed")) {
            line(
                    "<rect x=\"%.1f\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\"/>",
                    x, color(state));
            line("<text x=\"%.1f\" y=\"42\">%s</text>", x + 16, state);
            x += 80;
        }
    }

    /** About ten steps of 1, 2 or 5 times a power of ten seconds. */
    private void axis() {
        int bottom = TOP + job.attempts().size() * LANE;
        double step = step(job.seconds());
        for (int tick = 0; tick * step <= job.seconds(); tick++) {
            double x = x(job.submitMillis() + tick * step * 1000);
            line(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>",
                    x, TOP, x, bottom);
            line(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s s</text>",
                    x, bottom + 18, number(tick * step));
        }
    }

    static double step(double seconds) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(seconds, 0.1) / 10)));
        for (double factor : new double[] {1, 2, 5}) {
            if (seconds / (factor * power) <= 10) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private void lane(Attempt attempt) {
        double y = middle(attempt.id());
        line("<text x=\"10\" y=\"%.1f\">%s</text>", y + 4, escape(label(attempt)));
        double begin = x(attempt.startMillis());
        line(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"%s>"
                        + "<title>%s</title></rect>",
                begin,
                y - BAR / 2.0,
                Math.max(1, x(attempt.finishMillis()) - begin),
                BAR,
                color(attempt.won() ? "won" : attempt.state().toLowerCase(Locale.ROOT)),
                attempt.isMap() ? "" : " opacity=\"0.65\"",
                escape(
                        String.format(
                                Locale.ROOT,
                                "%s on %s: %s after %.1f s",
                                attempt.id(),
                                attempt.host(),
                                attempt.state(),
                                (attempt.finishMillis() - attempt.startMillis()) / 1000.0)));
    }

    private static String label(Attempt attempt) {
        String kind = attempt.clonedFrom() == null ? "" : ", clone";
        return attempt.shortId() + " on " + shortHost(attempt.host()) + kind;
    }

    /** Without its domain, for which a label has no room; the bar's tooltip has it. */
    static String shortHost(String host) {
        return host.matches("[0-9.]+") ? host : host.replaceFirst("\\..*", "");
    }

    /** From its original's bar, at the time of the clone's launch, down or up to the clone's. */
    private void branch(Attempt attempt) {
        if (attempt.clonedFrom() == null || !lanes.containsKey(attempt.clonedFrom())) {
            return;
        }
        double x = x(attempt.startMillis());
        line(
                "<path class=\"branch\" d=\"M %.1f %.1f C %.1f %.1f %.1f %.1f %.1f %.1f\""
                        + " fill=\"none\" stroke=\"#222\" stroke-width=\"2\"/>",
                x - 12,
                middle(attempt.clonedFrom()),
                x,
                middle(attempt.clonedFrom()),
                x - 12,
                middle(attempt.id()),
                x,
                middle(attempt.id()));
    }

    private double middle(String id) {
        return TOP + (lanes.get(id) + 0.5) * LANE;
    }

    private double x(double millis) {
        double length = Math.max(1, job.finishMillis() - job.submitMillis());
        return LABEL + CHART * (millis - job.submitMillis()) / length;
    }

    private static String color(String state) {
        return switch (state) {
            case "won" -> "#3a7d44";
            case "killed" -> "#b8b8b8";
            default -> "#c0392b";
        };
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
