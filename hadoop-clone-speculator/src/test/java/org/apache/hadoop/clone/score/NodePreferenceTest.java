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
package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.clone.score.NodePreference.Work;
import org.junit.jupiter.api.Test;

class NodePreferenceTest {
    private static NodePreference among(List<Work> work, String stragglerHost) {
        return NodePreference.of(work, List.of(), stragglerHost);
    }

    @Test
    void theStragglersOwnHostIsAvoidedHoweverFast() {
        NodePreference preference = among(List.of(new Work("a", 9, 1), new Work("b", 5, 1)), "a");
        assertThat(preference.preferred()).containsExactly("b");
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void fastHostsComeFirst() {
        NodePreference preference =
                among(
                        List.of(
                                new Work("b", 4, 1),
                                new Work("b", 6, 1),
                                new Work("c", 7, 1),
                                new Work("d", 4, 1)),
                        "a");
        assertThat(preference.preferred()).containsExactly("c", "b", "d");
    }

    @Test
    void hostsThatStraggleThemselvesAreAvoided() {
        NodePreference preference =
                among(
                        List.of(new Work("b", 10, 1), new Work("c", 10, 1), new Work("slow", 4, 1)),
                        "a");
        assertThat(preference.avoided()).containsExactlyInAnyOrder("a", "slow");
        assertThat(preference.preferred()).containsExactly("b", "c");
    }

    @Test
    void halfAsFastIsStillGoodEnough() {
        NodePreference preference =
                among(
                        List.of(new Work("b", 10, 1), new Work("c", 10, 1), new Work("d", 5, 1)),
                        "a");
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void nothingKnownIsNothingPreferred() {
        NodePreference preference = among(List.of(), "a");
        assertThat(preference.preferred()).isEmpty();
        assertThat(preference.avoided()).containsExactly("a");
    }

    @Test
    void ratesThatAreNoneDoNotCount() {
        NodePreference preference =
                among(List.of(new Work("b", Double.NaN, 1), new Work("c", 1, 1)), "a");
        assertThat(preference.preferred()).containsExactly("c");
    }

    @Test
    void aHostsRateIsAllOfItsWorkOverAllOfItsTime() {
        // 1.05 in 11 and 1 in 10, against 0.9 in 10; the mean of b's two rates would be the least.
        NodePreference preference =
                among(
                        List.of(
                                new Work("b", 1.05, 10),
                                new Work("b", 0, 1),
                                new Work("c", 1, 10),
                                new Work("d", 0.9, 10)),
                        "a");
        assertThat(preference.preferred()).containsExactly("c", "b", "d");
    }

    @Test
    void aHostThatIsSlowForMapsIsForReducesUntilItProvesOtherwise() {
        List<Work> maps =
                List.of(
                        new Work("a", 10, 1),
                        new Work("b", 9, 1),
                        new Work("c", 10, 1),
                        new Work("slow", 4, 1),
                        new Work("tried", 4, 1));
        List<Work> reduces = List.of(new Work("a", 1, 9), new Work("tried", 1, 9));
        NodePreference preference = NodePreference.of(reduces, maps, "a");
        assertThat(preference.avoided()).containsExactlyInAnyOrder("a", "slow");
        assertThat(preference.preferred()).containsExactly("tried", "c", "b");
    }
}
