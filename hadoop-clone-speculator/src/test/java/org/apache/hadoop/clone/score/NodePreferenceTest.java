package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.clone.score.NodePreference.Rate;
import org.junit.jupiter.api.Test;

class NodePreferenceTest {
    @Test
    void theStragglersOwnHostIsAvoidedHoweverFast() {
        NodePreference preference =
                NodePreference.of(List.of(new Rate("a", 9), new Rate("b", 5)), "a");
        assertThat(preference.preferred()).containsExactly("b");
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void fastHostsComeFirst() {
        NodePreference preference =
                NodePreference.of(
                        List.of(
                                new Rate("b", 4),
                                new Rate("b", 6),
                                new Rate("c", 7),
                                new Rate("d", 4)),
                        "a");
        assertThat(preference.preferred()).containsExactly("c", "b", "d");
    }

    @Test
    void hostsThatStraggleThemselvesAreAvoided() {
        NodePreference preference =
                NodePreference.of(
                        List.of(new Rate("b", 10), new Rate("c", 10), new Rate("slow", 4)), "a");
        assertThat(preference.avoided()).containsExactlyInAnyOrder("a", "slow");
        assertThat(preference.preferred()).containsExactly("b", "c");
    }

    @Test
    void halfAsFastIsStillGoodEnough() {
        NodePreference preference =
                NodePreference.of(
                        List.of(new Rate("b", 10), new Rate("c", 10), new Rate("d", 5)), "a");
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void nothingKnownIsNothingPreferred() {
        NodePreference preference = NodePreference.of(List.of(), "a");
        assertThat(preference.preferred()).isEmpty();
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void ratesThatAreNoneDoNotCount() {
        NodePreference preference =
                NodePreference.of(List.of(new Rate("b", Double.NaN), new Rate("c", 1)), "a");
        assertThat(preference.preferred()).containsExactly("c");
    }
}
