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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.clonehadoop.simulator.Rules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RuleTest {
    private static final Path DOCUMENT = Path.of("../docs/speculation.md");

    /** Nobody adds a number without saying what it is derived from. */
    @Test
    void everyNumberOfTheRulesIsThere() {
        List<String> components =
                Stream.of(
                                Rules.PRESET.speculation(),
                                Rules.PRESET.estimates(),
                                Rules.PRESET.placement(),
                                Rules.PRESET.costs())
                        .flatMap(part -> Arrays.stream(part.getClass().getRecordComponents()))
                        .map(component -> component.getName())
                        .toList();

        assertThat(Arrays.stream(Rule.values()).map(Rule::component).toList())
                .containsExactlyInAnyOrderElementsOf(components);
    }

    @ParameterizedTest
    @EnumSource
    void oneNumberChangesAndNoOther(Rule rule) {
        Rules changed = rule.change(Rules.PRESET, now -> 2 * now);

        assertThat(rule.of(changed)).isEqualTo(2 * rule.today());
        assertThat(rule.change(changed, now -> rule.today())).isEqualTo(Rules.PRESET);
        assertThat(rule.off()).isNotEqualTo(rule.today());
    }

    @ParameterizedTest
    @EnumSource
    void itIsWrittenDownAsItIs(Rule rule) throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .filteredOn(line -> line.startsWith("| `" + rule.component() + "` |"))
                .singleElement()
                .satisfies(
                        line ->
                                assertThat(line)
                                        .contains(
                                                "| "
                                                        + rule.what()
                                                        + " | "
                                                        + RuleCurves.number(rule.today())
                                                        + " |")
                                        .endsWith("| " + rule.from() + " |"));
    }
}
