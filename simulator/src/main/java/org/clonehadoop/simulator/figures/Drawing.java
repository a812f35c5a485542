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

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;

/** Draws a panel with the axes of the paper's figure. */
final class Drawing {
    private static final String NORMALISED = "job time over Hadoop's";

    private final Panel panel;
    private final Grid first;

    private Drawing(Panel panel) {
        this.panel = panel;
        first = panel.first();
    }

    /** As SVG, from left to right. */
    static List<String> of(Panel panel) {
        Drawing drawing = new Drawing(panel);
        return switch (panel.figure()) {
            case PHASES -> List.of(drawing.phases());
            case COMPLETION -> List.of(drawing.completion(true), drawing.completion(false));
            default -> List.of(drawing.bars());
        };
    }

    private String title(String part) {
        return "Figure " + panel.figure().number + part + ", costs: " + panel.costs().name();
    }

    private String phases() {
        String point = first.points().get(0);
        return BarChart.svg(
                title(""),
                "from below: maps, then shuffle, then reduces",
                NORMALISED,
                Stream.of(Variant.values())
                        .map(variant -> bar(variant, point, phases(variant)))
                        .map(bar -> new BarChart.Group("", List.of(bar)))
                        .toList());
    }

    private List<Double> phases(Variant variant) {
        double unit = first.of(Variant.HADOOP).jobSeconds();
        Outcome outcome = first.of(variant);
        return Stream.of(
                        outcome.mapsEndSeconds(),
                        outcome.shuffleSeconds(),
                        outcome.reducesSeconds() - outcome.shuffleSeconds())
                .map(seconds -> seconds / unit)
                .toList();
    }

    private String bars() {
        return BarChart.svg(
                title(""),
                panel.figure().xTitle,
                NORMALISED,
                first.points().stream().map(this::group).toList());
    }

    private BarChart.Group group(String point) {
        return new BarChart.Group(
                point,
                Stream.of(Variant.values())
                        .map(
                                variant ->
                                        bar(
                                                variant,
                                                point,
                                                List.of(first.normalised(point, variant).value())))
                        .toList());
    }

    private BarChart.Bar bar(Variant variant, String point, List<Double> parts) {
        DoubleSummaryStatistics readings =
                panel.grids().values().stream()
                        .mapToDouble(grid -> grid.normalised(point, variant).value())
                        .summaryStatistics();
        return new BarChart.Bar(
                variant.colour,
                parts,
                first.normalised(point, variant),
                readings.getMin(),
                readings.getMax());
    }

    private String completion(boolean maps) {
        return CompletionChart.svg(
                title(maps ? "a, maps" : "b, reduces"),
                Stream.of(Variant.LATE, Variant.PAPER, Variant.OURS)
                        .map(variant -> curve(variant, maps))
                        .toList());
    }

    private CompletionChart.Curve curve(Variant variant, boolean maps) {
        Outcome unit = first.of(Variant.LATE);
        Outcome outcome = first.of(variant);
        return new CompletionChart.Curve(
                variant.colour,
                CompletionChart.times()
                        .map(time -> outcome.tasksLeft(maps, time, unit))
                        .boxed()
                        .toList(),
                outcome.orders(false, maps, unit).boxed().toList(),
                outcome.orders(true, maps, unit).boxed().toList());
    }
}
