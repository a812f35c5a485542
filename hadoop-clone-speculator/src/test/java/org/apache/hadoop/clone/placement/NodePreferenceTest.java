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
package org.apache.hadoop.clone.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodePreferenceTest {
    private static NodePreference among(Map<String, Double> rates) {
        return NodePreference.of(rates, Map.of(), Map.of(), PlacementRules.PRESET);
    }

    @Test
    void theStragglersOwnHostIsPassedOverHoweverFast() {
        NodePreference preference = among(Map.of("a", 9.0, "b", 5.0));
        assertThat(preference.fastestBeside("a", 10)).containsExactly("b");
    }

    @Test
    void noMoreHostsAreGivenThanAskedFor() {
        NodePreference preference = among(Map.of("a", 9.0, "b", 8.0, "c", 7.0));
        assertThat(preference.fastestBeside("b", 1)).containsExactly("a");
    }

    @Test
    void fastHostsComeFirstAndEquallyFastOnesByName() {
        assertThat(among(Map.of("b", 5.0, "c", 7.0, "d", 4.0, "a", 4.0)).fastest())
                .containsExactly("c", "b", "a", "d");
    }

    @Test
    void hostsThatStraggleThemselvesAreAvoided() {
        NodePreference preference = among(Map.of("b", 10.0, "c", 10.0, "slow", 4.0));
        assertThat(preference.straggling()).containsOnlyKeys("slow");
        assertThat(preference.fastest()).containsExactly("b", "c");
    }

    @Test
    void halfAsFastIsStillGoodEnough() {
        assertThat(among(Map.of("b", 10.0, "c", 10.0, "d", 5.0)).straggling()).isEmpty();
    }

    @Test
    void nothingKnownIsNothingPreferred() {
        assertThat(among(Map.of())).isEqualTo(new NodePreference(List.of(), Map.of()));
    }

    @Test
    void aHostThatIsSlowForMapsIsForReducesUntilItProvesOtherwise() {
        Map<String, Double> maps =
                Map.of("a", 10.0, "b", 9.0, "c", 10.0, "slow", 4.0, "tried", 4.0);
        Map<String, Double> reduces = Map.of("a", 1 / 9.0, "tried", 1 / 9.0);
        NodePreference preference =
                NodePreference.of(reduces, maps, Map.of(), PlacementRules.PRESET);
        assertThat(preference.straggling()).containsOnlyKeys("slow");
        assertThat(preference.fastestBeside("a", 10)).containsExactly("c", "b", "tried");
    }

    /** What a host gives to one more is taken to be an equal share. */
    @Test
    void aHostWithFewOfTheJobsAttemptsIsBetterThanAFasterOneWithMany() {
        Map<String, Double> rates = Map.of("idle", 9.0, "fast", 14.0, "full", 10.0);
        Map<String, Integer> running = Map.of("fast", 1, "full", 3);
        assertThat(NodePreference.of(rates, Map.of(), running, PlacementRules.PRESET).fastest())
                .containsExactly("idle", "fast", "full");
    }
}
