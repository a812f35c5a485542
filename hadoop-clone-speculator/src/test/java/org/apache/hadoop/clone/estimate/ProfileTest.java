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
package org.apache.hadoop.clone.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.clone.estimate.Profile.Usual;
import org.junit.jupiter.api.Test;

class ProfileTest {
    private final Profile profile = new Profile(course -> 1, EstimateRules.PRESET);

    private final Map<String, Course> attempts = new HashMap<>();
    private long now;

    private Course attempt(String name) {
        return attempts.computeIfAbsent(name, any -> new Course(0, EstimateRules.PRESET));
    }

    private Usual usual(String attempt, String host) {
        return profile.usual(attempt(attempt), host, ++now);
    }

    /** It takes so long for each of the parts. */
    private void passes(String attempt, String host, int from, int to, double millis) {
        for (int part = from; part < to; part++) {
            profile.passed(attempt(attempt), host, part, millis, 3_000);
        }
    }

    @Test
    void nobodyHasBeenSeen() {
        assertThat(usual("a", "h")).isNull();
    }

    @Test
    void whatIsUsualIsTheMedianOfEachPart() {
        passes("a", "h1", 0, 30, 100);
        passes("b", "h2", 0, 30, 110);
        passes("c", "h3", 0, 10, 5_000);
        Usual usual = usual("d", "h4");
        assertThat(usual.at(1 / 3.0)).isCloseTo(1_100, within(1e-6));
        assertThat(usual.total()).isCloseTo(1_100 + 20 * 105, within(1e-6));
        assertThat(usual.at(0.5)).isCloseTo(1_100 + 5 * 105, within(1e-6));
    }

    @Test
    void onlyOtherHostsCountIfThereAreAny() {
        passes("a", "slow", 0, 30, 400);
        passes("b", "slow", 0, 30, 400);
        passes("c", "well", 0, 30, 100);
        assertThat(usual("a", "slow").total()).isCloseTo(3_000, within(1e-6));
        assertThat(usual("c", "well").total()).isCloseTo(12_000, within(1e-6));
    }

    @Test
    void onASingleHostTheOthersCount() {
        passes("a", "h", 0, 30, 400);
        passes("b", "h", 0, 30, 100);
        assertThat(usual("a", "h").total()).isCloseTo(3_000, within(1e-6));
    }

    @Test
    void itsOwnSamplesAreNothingToCompareItWith() {
        passes("a", "h", 0, 30, 400);
        assertThat(usual("a", "h")).isNull();
    }

    /** In the first wave nobody has ended. */
    @Test
    void whatNobodyHasPassedTakesAsLongAsWhatIsKnown() {
        passes("a", "h1", 0, 5, 100);
        passes("b", "h2", 20, 25, 200);
        Usual usual = usual("c", "h3");
        assertThat(usual.total()).isCloseTo(10 * 100 + 10 * 150 + 10 * 200, within(1e-6));
        assertThat(usual.knows(0.1)).isTrue();
        assertThat(usual.knows(0.5)).isFalse();
        assertThat(usual.knows(1)).isTrue();
    }

    /** Maps say nothing between their last record and their end. */
    @Test
    void howLongNothingIsHeardIsKnownFromOthers() {
        passes("a", "h1", 0, 20, 100);
        for (int part = 20; part < 30; part++) {
            profile.passed(attempt("a"), "h1", part, 900, 9_000);
            profile.passed(attempt("b"), "h2", part, 1_100, 11_000);
        }
        Usual usual = usual("c", "h3");
        assertThat(usual.step(0.5)).isEqualTo(3_000);
        assertThat(usual.step(0.667)).isEqualTo(10_000);
        assertThat(usual.step(1)).isEqualTo(10_000);
    }

    /** Whatever those took that had told of some progress before they passed the first part. */
    @Test
    void howLongNothingIsHeardAtFirstIsKnownFromFirstReports() {
        passes("a", "h1", 0, 1, 100);
        passes("b", "h2", 0, 1, 100);
        assertThat(usual("c", "h3").step(0)).isZero();
        profile.firstStep(attempt("a"), "h1", 6_000);
        profile.firstStep(attempt("b"), "h2", 40_000);
        Usual usual = usual("c", "h3");
        assertThat(usual.step(0)).isEqualTo(23_000);
        assertThat(usual.step(0.01)).isEqualTo(3_000);
        assertThat(usual("b", "h2").step(0)).as("elsewhere").isEqualTo(6_000);
    }

    @Test
    void whereNobodyHasBeenNobodyKnowsIt() {
        passes("a", "h1", 0, 20, 100);
        assertThat(usual("c", "h3").step(0.9)).isZero();
    }

    @Test
    void onlyTheLastSamplesCount() {
        for (int i = 0; i < 32; i++) {
            profile.passed(attempt("old" + i), "h" + i, 0, 100, 3_000);
        }
        for (int i = 0; i < 32; i++) {
            profile.passed(attempt("new" + i), "h" + i, 0, 900, 3_000);
        }
        assertThat(usual("a", "x").total()).isCloseTo(30 * 900, within(1e-6));
    }
}
