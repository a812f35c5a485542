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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Figures that only a measurement has: a simulation would show what it was told. */
final class MeasuredFigures {
    /** In figure 16 the switch is gone from here, in seconds, to there. */
    private static final int STOPPED = 5;

    private static final int STARTED = 7;

    private final Path dir;

    /**
     * @param dir what benchmarks/requests/run left
     */
    MeasuredFigures(Path dir) {
        this.dir = dir;
    }

    /**
     * @throws NotMeasuredException if there is nothing of it
     */
    RequestFigure figure(String id) throws IOException {
        return id.equals("C-16") ? stop() : always();
    }

    private JsonNode read(String name) throws IOException {
        if (!Files.exists(dir.resolve(name))) {
            throw new NotMeasuredException("there is no " + dir.resolve(name));
        }
        return new ObjectMapper().readTree(dir.resolve(name).toFile());
    }

    private RequestFigure stop() throws IOException {
        List<Double> answers = new ArrayList<>();
        read("stop.json").get("by_second").forEach(count -> answers.add(count.doubleValue()));
        double before = average(answers.subList(1, STOPPED));
        double between = average(answers.subList(STOPPED + 1, STARTED));
        double after = average(answers.subList(STARTED + 1, answers.size()));
        List<Double> seconds =
                IntStream.range(0, answers.size()).mapToObj(second -> second + 0.5).toList();
        return new RequestFigure(
                "C-16",
                "The switch stops at 5 s, and is back at 7 s",
                "down and up of request-switch, at half of the load; seconds are real, requests a hundredth.",
                List.of(
                        Chart.lines(
                                "C-16",
                                "Answers",
                                "s",
                                "answers a second",
                                false,
                                List.of(new Line("ours, agent", seconds, answers)))),
                List.of(
                        Claim.of(
                                "No service without the switch, and all of it when it is back",
                                between < 0.05 * before && after > 0.95 * before,
                                "answers a second: %.0f before, %.0f without, %.0f from a second after it on",
                                before,
                                between,
                                after),
                        Claim.of(
                                "The paper's ASIC takes 3 to 5 s to boot; ours is back within a second",
                                answers.get(STARTED + 1) > 0.95 * before,
                                "%.0f answers in the second in which it is brought up, %.0f in the next",
                                answers.get(STARTED),
                                answers.get(STARTED + 1))),
                List.of());
    }

    private RequestFigure always() throws IOException {
        JsonNode seen = read("always.json");
        return new RequestFigure(
                "O-4",
                "Ours: every query is cloned",
                "",
                List.of(),
                List.of(
                        Claim.of(
                                "Our goal: of 20 000 queries that are all cloned none is lost, and 10 at most are let"
                                        + " through twice",
                                seen.get("lost").intValue() == 0
                                        && seen.get("twice").intValue() <= 10,
                                "of %d, %d cloned: %d lost, %d let through twice",
                                seen.get("asked").intValue(),
                                seen.get("cloned").intValue(),
                                seen.get("lost").intValue(),
                                seen.get("twice").intValue())),
                List.of());
    }

    private static double average(List<Double> values) {
        return values.stream().mapToDouble(x -> x).average().orElseThrow();
    }
}
