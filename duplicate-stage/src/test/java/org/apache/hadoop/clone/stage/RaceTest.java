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
package org.apache.hadoop.clone.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaceTest {
    private final List<Integer> winners = new ArrayList<>();
    private final Race<String> race = new Race<>(2, winners::add);

    @Test
    void theFirstToCompleteWinsAndPurgesOnce() {
        assertThat(race.complete(1, "duplicate's")).isTrue();
        assertThat(race.complete(0, "primary's")).isFalse();

        assertThat(winners).containsExactly(1);
        assertThat(race.result()).isCompletedWithValue("duplicate's");
    }

    @Test
    void theOtherGoesOnWhenOneFails() {
        race.fail(0, new IOException("primary's"));

        assertThat(race.result()).isNotDone();
        race.complete(1, "duplicate's");
        assertThat(race.result()).isCompletedWithValue("duplicate's");
    }

    @Test
    void failsOfWhatThePrimaryFailedOf() {
        race.fail(0, new IOException("primary's"));
        race.fail(1, new IOException("duplicate's"));

        assertThat(race.result())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(IOException.class)
                .withMessageContaining("primary's");
        assertThat(winners).isEmpty();
    }

    @Test
    void whatFailsAfterTheWinnerMeansNothing() {
        race.complete(0, "primary's");
        race.fail(1, new IOException("purged"));

        assertThat(race.result()).isCompletedWithValue("primary's");
    }

    @Test
    void needsSomebodyToTakePart() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Race<String>(0, winners::add));
    }
}
