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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CloneStateTest {
    private static final Set<CloneState> ENDS =
            EnumSet.of(CloneState.WON, CloneState.LOST, CloneState.FELL_BACK, CloneState.GIVEN_UP);

    private static final Pattern ROW =
            Pattern.compile("^\\| ([A-Z_]+) \\| ([A-Z_]+) \\| ([A-Z_]+) \\|");

    @Test
    void theReferenceAndTheTableAgree() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/internals/clone-lifecycle.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                documented.put(row.group(1) + " " + row.group(2), row.group(3));
            }
        }
        Map<String, String> table = new TreeMap<>();
        for (CloneState state : CloneState.values()) {
            for (CloneEvent event : CloneEvent.values()) {
                state.after(event)
                        .ifPresent(next -> table.put(state + " " + event, next.toString()));
            }
        }
        assertThat(documented).isEqualTo(table);
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheFourOutcomesAreEnds(CloneState state) {
        assertThat(CloneEvent.values())
                .allMatch(event -> state.after(event).isEmpty() || !ENDS.contains(state))
                .anyMatch(event -> state.after(event).isPresent() || ENDS.contains(state));
    }

    @ParameterizedTest
    @EnumSource
    void everyStateIsReachedFromTheFirst(CloneState state) {
        Set<CloneState> reached = EnumSet.of(CloneState.ASKED);
        boolean more = true;
        while (more) {
            more =
                    EnumSet.copyOf(reached).stream()
                            .flatMap(
                                    from ->
                                            Arrays.stream(CloneEvent.values())
                                                    .flatMap(event -> from.after(event).stream()))
                            .map(reached::add)
                            .reduce(false, Boolean::logicalOr);
        }
        assertThat(reached).contains(state);
    }

    /** A clone whose attempt is gone holds nothing any more, wherever it was. */
    @ParameterizedTest
    @EnumSource(
            names = {"ASKED", "WON", "LOST", "FELL_BACK", "GIVEN_UP"},
            mode = EnumSource.Mode.EXCLUDE)
    void theEndOfItsAttemptEndsAClone(CloneState state) {
        assertThat(state.after(CloneEvent.CLONE_ENDED)).get().isIn(ENDS);
    }

    /** An attempt is ordered, and so a container requested, in WAITING. */
    @Test
    void nothingIsRequestedBeforeTheOriginalHasSaidThatItCanBeCloned() {
        for (CloneState state : CloneState.values()) {
            for (CloneEvent event : CloneEvent.values()) {
                if (state.after(event).filter(CloneState.WAITING::equals).isPresent()) {
                    assertThat(state).isEqualTo(CloneState.ASKED);
                    assertThat(event).isEqualTo(CloneEvent.ABLE);
                }
            }
        }
        assertThat(CloneState.ASKED.after(CloneEvent.REFUSED)).contains(CloneState.GIVEN_UP);
    }

    /** Once it may be frozen, only the process in the right container can be the clone. */
    @Test
    void aRunningCloneHasBecomeItsAttempt() {
        assertThat(CloneState.values())
                .filteredOn(
                        state ->
                                state.after(CloneEvent.REGISTERED).isPresent()
                                        || state.after(CloneEvent.BECAME).isPresent())
                .containsExactly(CloneState.FREEZING, CloneState.BECOMING);
    }
}
