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
package org.clonehadoop.simulator.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Pace USUAL = new Pace(40_000, 128, List.of(10e3, 10e3, 10e3, 10e3));
    private static final PastAttempt UNEVEN = attempt(128, 50_000, 2_000, 2_000, 30_000, 16_000);

    private static PastAttempt attempt(double megabytes, int endMillis, Integer... splits) {
        return new PastAttempt(
                "attempt",
                true,
                0,
                0,
                "h1",
                true,
                0,
                endMillis,
                endMillis,
                megabytes,
                List.of(splits));
    }

    private static double seconds(List<Double> brakes) {
        return IntStream.range(0, brakes.size()).mapToDouble(part -> 10 * brakes.get(part)).sum();
    }

    @Test
    void whatBecameSlowIsAsSlowAsItWasFromThereOn() {
        List<Double> brakes =
                USUAL.brakes(attempt(128, 220_000, 10_000, 10_000, 100_000, 100_000), 0, 4);

        assertThat(brakes.get(0)).isCloseTo(1, within(1e-6));
        assertThat(brakes.get(3)).isCloseTo(10, within(1e-6));
    }

    /** Parts of 2, 2, 30 and 16 s are 50 in all, and not 10, 10, 30 and 16. */
    @Test
    void quickPartsMakeUpForSlowOnes() {
        List<Double> brakes = USUAL.brakes(UNEVEN, 0, 4);

        assertThat(seconds(brakes)).isCloseTo(50, within(1e-3));
        assertThat(brakes.get(0)).isEqualTo(1);
        assertThat(brakes.get(2) / brakes.get(3)).isCloseTo(30 / 16.0, within(1e-3));
    }

    @Test
    void whoTookNoLongerThanUsualIsNotSlowAnywhere() {
        assertThat(USUAL.brakes(attempt(128, 40_000, 1_000, 1_000, 37_000, 1_000), 0, 4))
                .allSatisfy(brake -> assertThat(brake).isCloseTo(1, within(1e-6)));
    }

    /** What comes before and after the records doesn't count. */
    @Test
    void onlyTheNamedPartsMakeUpForEachOther() {
        List<Double> brakes = USUAL.brakes(UNEVEN, 2, 4);

        assertThat(brakes.get(2)).isCloseTo(3, within(1e-6));
        assertThat(brakes.get(3)).isCloseTo(1.6, within(1e-6));
    }

    @Test
    void whatTheInputExplainsIsNoBrake() {
        assertThat(USUAL.brakes(attempt(256, 80_000, 20_000, 20_000, 20_000, 20_000), 0, 4))
                .containsOnly(1.0);
    }

    /** It was killed after 65 s in its second part. */
    @Test
    void whatCameNoFurtherGoesOnAsItWasInItsLastPart() {
        List<Double> brakes = USUAL.brakes(attempt(128, 75_000, 10_000), 0, 4);

        assertThat(brakes).element(1).isEqualTo(6.5);
        assertThat(brakes).element(3).isEqualTo(6.5);
    }

    @Test
    void withoutPartsItIsAsSlowAllAlong() {
        assertThat(new Pace(40_000, 128, List.of()).brakes(attempt(128, 80_000), 0, 0))
                .containsExactly(2.0);
    }
}
