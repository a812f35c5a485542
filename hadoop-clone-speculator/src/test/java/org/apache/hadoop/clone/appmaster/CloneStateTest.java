package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CloneStateTest {
    private static final Set<CloneState> ENDS =
            EnumSet.of(CloneState.WON, CloneState.LOST, CloneState.FELL_BACK, CloneState.GIVEN_UP);

    /** What every state makes of every event, - for nothing; columns are the events in order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            useHeadersInDisplayName = true,
            textBlock =
                    """
                    state    |ABLE   |REFUSED  |CONTAINER|OFFERED|FROZEN  |BECAME  |REGISTERED|ORIGINAL_ENDED|CLONE_SUCCEEDED|CLONE_ENDED|TIME_OUT
                    ASKED    |WAITING|GIVEN_UP |-        |-      |-       |-       |-         |GIVEN_UP      |-              |-          |GIVEN_UP
                    WAITING  |-      |-        |OFFERING |-      |-       |-       |-         |FELL_BACK     |-              |GIVEN_UP   |-
                    OFFERING |-      |FELL_BACK|-        |PULLING|-       |-       |-         |FELL_BACK     |-              |GIVEN_UP   |FELL_BACK
                    PULLING  |-      |FELL_BACK|-        |-      |FREEZING|-       |-         |FELL_BACK     |-              |GIVEN_UP   |FELL_BACK
                    FREEZING |-      |FELL_BACK|-        |-      |-       |BECOMING|-         |-             |-              |GIVEN_UP   |FELL_BACK
                    BECOMING |-      |-        |-        |-      |-       |-       |RUNNING   |-             |-              |GIVEN_UP   |GIVEN_UP
                    RUNNING  |-      |-        |-        |-      |-       |-       |-         |-             |WON            |LOST       |-
                    WON      |-      |-        |-        |-      |-       |-       |-         |-             |-              |-          |-
                    LOST     |-      |-        |-        |-      |-       |-       |-         |-             |-              |-          |-
                    FELL_BACK|-      |-        |-        |-      |-       |-       |-         |-             |-              |-          |-
                    GIVEN_UP |-      |-        |-        |-      |-       |-       |-         |-             |-              |-          |-
                    """)
    void everyStateMakesOfEveryEventWhatTheTableSays(ArgumentsAccessor row) {
        CloneState state = CloneState.valueOf(row.getString(0));
        CloneEvent[] events = CloneEvent.values();
        assertThat(row.size()).isEqualTo(1 + events.length);
        for (CloneEvent event : events) {
            String next = state.after(event).map(CloneState::name).orElse("-");
            assertThat(next)
                    .as("%s after %s", state, event)
                    .isEqualTo(row.getString(1 + event.ordinal()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheFourOutcomesAreEnds(CloneState state) {
        assertThat(state.isEnd()).isEqualTo(ENDS.contains(state));
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
        assertThat(state.after(CloneEvent.CLONE_ENDED)).hasValueSatisfying(this::isEnd);
    }

    private void isEnd(CloneState state) {
        assertThat(state.isEnd()).isTrue();
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
