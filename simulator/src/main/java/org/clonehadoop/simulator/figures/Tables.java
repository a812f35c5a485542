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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clonehadoop.simulator.sweep.Rows;

/** All figures as tables, beside what the paper says of them: a document that can be compared. */
final class Tables {
    /** With the seeds of the first reading, and those of the others. */
    private static final String HEAD =
            """
            # The paper's figures, simulated

            Made by `scripts/simulate figure`; don't edit it. [How it is simulated](simulator.md#the-papers-figures), and what is drawn.

            **Not validated**: compare rules with each other, and take no number for a measurement. Jobs ran on 64 simulated nodes with seeds 1 to %d, the readings after the first one with seeds 1 to %d. Tables have the mean job time over Hadoop's in the first reading, and its 95 %% interval over seeds.
            """;

    private Tables() {}

    /**
     * @param panels of all figures, in their order
     * @param runs that they were made of
     */
    static String of(List<Panel> panels, Runs runs) {
        StringBuilder text =
                new StringBuilder(
                                HEAD.formatted(
                                        runs.seeds(Reading.FIRST), runs.seeds(Reading.STOCK_CAPS)))
                        .append(whatHolds(panels));
        Map<Figure, List<Panel>> figures = new LinkedHashMap<>();
        panels.forEach(
                panel ->
                        figures.computeIfAbsent(panel.figure(), figure -> new ArrayList<>())
                                .add(panel));
        figures.forEach(
                (figure, its) ->
                        text.append("\n## Figure ")
                                .append(figure.number)
                                .append(". ")
                                .append(figure.title)
                                .append("\n\n")
                                .append(observations(figure, its).markdown())
                                .append('\n')
                                .append(times(its).markdown()));
        return text.toString();
    }

    /** In the first reading, and with all cost books. */
    private static String whatHolds(List<Panel> panels) {
        List<String> holding = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Observation observation : Observation.values()) {
            List<Panel> its =
                    panels.stream().filter(p -> p.figure() == observation.figure).toList();
            if (!its.isEmpty()) {
                boolean holds =
                        its.stream().allMatch(p -> p.verdict(observation, Reading.FIRST).holds());
                (holds ? holding : others).add(observation.number);
            }
        }
        return "\nOf the paper's observations these hold here: "
                + list(holding)
                + "; these don't: "
                + list(others)
                + ". 12, of several jobs in a row, isn't simulated: they would have nothing in common"
                + " here.\n";
    }

    private static String list(List<String> numbers) {
        return numbers.isEmpty() ? "none" : String.join(", ", numbers);
    }

    private static Rows observations(Figure figure, List<Panel> panels) {
        Rows rows = new Rows();
        rows.add(List.of("", "the paper", "costs", "simulated", "holds in readings"));
        for (Observation observation : Observation.of(figure)) {
            for (Panel panel : panels) {
                Verdict verdict = panel.verdict(observation, Reading.FIRST);
                rows.add(
                        List.of(
                                observation.title(),
                                observation.claim,
                                panel.costs().name(),
                                verdict.words(observation.cause),
                                readings(panel, observation)));
            }
        }
        return rows;
    }

    /** In which it holds, by their numbers. */
    private static String readings(Panel panel, Observation observation) {
        List<String> holds =
                Stream.of(Reading.values())
                        .filter(reading -> panel.verdict(observation, reading).holds())
                        .map(reading -> String.valueOf(reading.ordinal() + 1))
                        .toList();
        return holds.isEmpty() ? "none" : String.join(", ", holds);
    }

    private static Rows times(List<Panel> panels) {
        Rows rows = new Rows();
        List<String> heading = new ArrayList<>(List.of("", "costs"));
        for (Variant variant : Variant.values()) {
            heading.add(variant.title);
        }
        rows.add(heading);
        for (String point : panels.get(0).first().points()) {
            for (Panel panel : panels) {
                List<String> row = new ArrayList<>(List.of(point, panel.costs().name()));
                for (Variant variant : Variant.values()) {
                    row.add(time(panel.first(), point, variant));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static String time(Grid grid, String point, Variant variant) {
        if (variant == Variant.HADOOP) {
            return Rows.text("%.0f s", grid.at(point, variant).jobSeconds());
        }
        Interval over = grid.normalised(point, variant);
        return Rows.text("%.3f (%.3f–%.3f)", over.value(), over.low(), over.high());
    }
}
