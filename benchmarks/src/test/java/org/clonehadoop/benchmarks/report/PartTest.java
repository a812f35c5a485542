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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PartTest {
    private static final Path BENCHMARKS = Path.of("").toAbsolutePath();

    private static Part.Row row(String unit, Double per, Double atMost, Double atLeast) {
        return new Part.Row("what", "key", unit, per, atMost, atLeast, null);
    }

    @Test
    void saysAValueInItsUnitWithItsInterval() {
        Map<String, String> values =
                Map.of("key", "1080.75", "key_low", "655.1", "key_high", "1101", "key_min", "1");

        assertThat(row("s", 1000.0, null, null).value(values)).contains("1.08 s (0.66–1.10)");
        assertThat(row("ms", null, null, null).value(Map.of("key", "95.3"))).contains("95.3 ms");
        assertThat(row(null, null, null, null).value(Map.of("key", "true"))).contains("true");
        assertThat(row(null, null, null, null).value(Map.of())).isEmpty();
    }

    @Test
    void saysWhetherAnAimIsReached() {
        assertThat(row("ms", null, 100.0, null).aim(Map.of("key", "100")))
                .isEqualTo("≤ 100 ms: reached");
        assertThat(row("s", 1000.0, 1.5, null).aim(Map.of("key", "1501")))
                .isEqualTo("≤ 1.5 s: **missed**");
        assertThat(row(null, null, null, 1.3).aim(Map.of("key", "1.29")))
                .isEqualTo("≥ 1.3: **missed**");
        assertThat(row(null, null, null, null).aim(Map.of("key", "1"))).isEmpty();
    }

    @Test
    void allOfAnIntervalDecides() {
        Part.Row row = row(null, null, 1.01, null);
        assertThat(row.aim(Map.of("key", "1", "key_low", "0.96", "key_high", "1.01")))
                .isEqualTo("≤ 1.01: reached");
        assertThat(row.aim(Map.of("key", "1", "key_low", "0.96", "key_high", "1.06")))
                .isEqualTo("≤ 1.01: open");
        assertThat(row.aim(Map.of("key", "1.1", "key_low", "1.02", "key_high", "1.2")))
                .isEqualTo("≤ 1.01: **missed**");
    }

    @Test
    void oneRunHasNoInterval() {
        Map<String, String> values = Map.of("key", "0.94", "key_min", "0.94", "key_max", "0.94");
        assertThat(row(null, null, null, null).value(values)).contains("0.94");
    }

    @Test
    void saysOfHowManyRequestsAnAimIsReached() {
        Part.Row row = new Part.Row("what", "key", null, null, null, 3.0, "requests");
        Map<String, String> few = Map.of("key", "10", "requests", "36");
        Map<String, String> many = Map.of("key", "10", "requests", "1000");
        assertThat(row.value(few)).contains("10, of 36 requests");
        assertThat(row.aim(few)).isEqualTo("≥ 3: reached, by too few requests");
        assertThat(row.aim(many)).isEqualTo("≥ 3: reached");
    }

    @Test
    void fewRunsAreSaid() {
        assertThat(row("s", null, 1.5, null).aim(Map.of("key", "1", "runs", "4")))
                .isEqualTo("≤ 1.5 s: reached, by too few runs");
        assertThat(row("s", null, 1.5, null).aim(Map.of("key", "1", "runs", "5")))
                .isEqualTo("≤ 1.5 s: reached");
        assertThat(row(null, null, 0.0, null).aim(Map.of("key", "1", "runs", "1")))
                .isEqualTo("≤ 0: **missed**");
    }

    /** So that a key that a benchmark calls otherwise isn't said to be unmeasured for ever. */
    @Test
    void asksForKeysThatBenchmarksHave() throws IOException {
        Set<String> documented = documented();
        List<SingleResult> kept = kept();
        for (Part part : Part.all()) {
            Set<String> known = new HashSet<>(documented);
            kept.stream()
                    .filter(result -> result.name().equals(part.name()))
                    .forEach(result -> known.addAll(result.values().keySet()));
            assertThat(part.rows()).as(part.name()).extracting(Part.Row::key).isSubsetOf(known);
        }
    }

    /** Of {@code `p99_gain_low`, `_medium`} the second is p99_gain_medium. */
    private static Set<String> documented() throws IOException {
        Set<String> keys = new HashSet<>();
        String before = "";
        Matcher word =
                Pattern.compile("`(\\w+)`")
                        .matcher(Files.readString(BENCHMARKS.resolve("README.md")));
        while (word.find()) {
            String key = word.group(1);
            boolean isTail = key.startsWith("_") && before.contains("_");
            before = isTail ? before.substring(0, before.lastIndexOf('_')) + key : key;
            keys.add(before);
        }
        return keys;
    }

    @Test
    void namesCommandsAndPagesThatAreThere() {
        for (Part part : Part.all()) {
            assertThat(BENCHMARKS.resolve(part.command().split(" ")[0])).isExecutable();
            assertThat(BENCHMARKS.resolve("../docs").resolve(part.page())).isRegularFile();
        }
    }

    @Test
    void hasWordsForAllThatIsKept() throws IOException {
        assertThat(kept())
                .extracting(SingleResult::name)
                .isSubsetOf(Part.all().stream().map(Part::name).collect(Collectors.toSet()));
    }

    private static List<SingleResult> kept() throws IOException {
        List<SingleResult> kept = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(BENCHMARKS.resolve("results"), "*.json")) {
            for (Path file : files) {
                kept.add(SingleResult.read(file));
            }
        }
        return kept;
    }
}
