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
import java.util.stream.Collectors;
import org.apache.hadoop.clone.placement.HostRates.Rate;
import org.junit.jupiter.api.Test;

class NodePreferenceTest {
    private static NodePreference among(Map<String, Double> rates) {
        return NodePreference.of(seconds(1, rates), Map.of(), Map.of(), PlacementRules.PRESET);
    }

    /** Each was seen for so long. */
    private static Map<String, Rate> seconds(int seconds, Map<String, Double> rates) {
        return rates.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                host -> new Rate(host.getValue(), 1e3 * seconds)));
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
    void oneAloneHasWhatSeveralShared() {
        NodePreference preference = among(Map.of("b", 10.0, "c", 10.0, "slow", 2.0));
        assertThat(preference.isEnoughForOne("slow", 2.4, PlacementRules.PRESET)).isFalse();
        assertThat(preference.isEnoughForOne("slow", 2.5, PlacementRules.PRESET)).isTrue();
        assertThat(preference.isEnoughForOne("b", 1, PlacementRules.PRESET)).isTrue();
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
                NodePreference.of(
                        seconds(60, maps), seconds(60, reduces), Map.of(), PlacementRules.PRESET);
        assertThat(preference.straggling()).containsOnlyKeys("slow");
        assertThat(preference.fastestBeside("a", 10)).containsExactly("c", "b", "tried");
    }

    /** Its reduces have just begun, while those elsewhere had fetched before. */
    @Test
    void aHostThatWasFastForMapsIsNotSlowForAMomentsSake() {
        Map<String, Double> maps = Map.of("a", 10.0, "b", 10.0, "slow", 2.0);
        Map<String, Double> reduces = Map.of("a", 0.1, "b", 0.0);
        NodePreference preference =
                NodePreference.of(
                        seconds(60, maps), seconds(6, reduces), Map.of(), PlacementRules.PRESET);
        assertThat(preference.straggling()).containsOnlyKeys("slow");
    }

    /** What a host gives to one more is taken to be an equal share. */
    @Test
    void aHostWithFewOfTheJobsAttemptsIsBetterThanAFasterOneWithMany() {
        Map<String, Double> rates = Map.of("idle", 9.0, "fast", 14.0, "full", 10.0);
        Map<String, Integer> running = Map.of("fast", 1, "full", 3);
        assertThat(
                        NodePreference.of(
                                        seconds(1, rates), Map.of(), running, PlacementRules.PRESET)
                                .fastest())
                .containsExactly("idle", "fast", "full");
    }
}
