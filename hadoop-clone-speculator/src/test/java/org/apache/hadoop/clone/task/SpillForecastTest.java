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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.hadoop.mapred.SpillProgress;
import org.junit.jupiter.api.Test;

/** Times are nanoseconds, sizes bytes; the clock begins at a time that means nothing. */
class SpillForecastTest {
    private static final long ALLOWED = 1000;
    private static final long START = Long.MAX_VALUE - 50;
    private static final long SPILL = 100_000;

    private final SpillForecast forecast = new SpillForecast(START, ALLOWED);

    @Test
    void waitsForASpillThatEndsInTime() {
        for (int i = 0; i <= 100; i++) {
            assertThat(forecast.tooLong(of(10_000 + 900 * i), START + 10 * i))
                    .as("at %d", i)
                    .isEmpty();
        }
    }

    @Test
    void looksAtTheSpeedForAWhileBeforeItGivesUp() {
        assertThat(forecast.tooLong(of(1000), START)).isEmpty();
        assertThat(forecast.tooLong(of(1001), START + 1)).as("98999 of 999").isEmpty();
        assertThat(forecast.tooLong(of(1100), START + 100)).isEmpty();
        assertThat(forecast.tooLong(of(1101), START + 101)).hasValue(Duration.ofNanos(98_899));
    }

    @Test
    void givesUpWhatEndsJustTooLate() {
        assertThat(forecast.tooLong(of(9_000), START)).isEmpty();
        assertThat(forecast.tooLong(of(18_100), START + 100)).as("900 of 900").isEmpty();
        assertThat(forecast.tooLong(of(26_000), START + 200)).as("871 of 800").isEmpty();
        assertThat(forecast.tooLong(of(34_000), START + 300))
                .as("792 of 700")
                .hasValue(Duration.ofNanos(792));
    }

    /** What comes first after a pause says that the rest takes for ever. */
    @Test
    void waitsForASpillThatPausedForAWhile() {
        assertThat(forecast.tooLong(of(10_000), START)).isEmpty();
        assertThat(forecast.tooLong(of(10_000), START + 300)).isEmpty();
        assertThat(forecast.tooLong(of(10_400), START + 310)).as("69440 of 690").isEmpty();
        assertThat(forecast.tooLong(of(40_000), START + 400)).as("800 of 600").isEmpty();
        assertThat(forecast.tooLong(of(70_000), START + 500)).as("250 of 500").isEmpty();
        assertThat(forecast.tooLong(of(71_000), START + 700)).as("333 of 300").isEmpty();
        assertThat(forecast.tooLong(of(90_000), START + 790)).as("99 of 210").isEmpty();
    }

    @Test
    void givesUpASpillThatGetsSlow() {
        assertThat(forecast.tooLong(of(20_000), START)).isEmpty();
        assertThat(forecast.tooLong(of(40_000), START + 200)).isEmpty();
        assertThat(forecast.tooLong(of(50_000), START + 400)).as("667 of 600").isEmpty();
        assertThat(forecast.tooLong(of(55_000), START + 500))
                .as("643 of 500")
                .hasValue(Duration.ofNanos(642));
    }

    /** As long as it is being sorted. */
    @Test
    void waitsForASpillOfWhichNothingIsWritten() {
        for (int i = 0; i < 1000; i += 10) {
            assertThat(forecast.tooLong(of(0), START + i)).as("at %d", i).isEmpty();
        }
    }

    @Test
    void countsNoneOfTheTimeInWhichItIsSorted() {
        assertThat(forecast.tooLong(of(0), START)).isEmpty();
        assertThat(forecast.tooLong(of(4_000), START + 500)).isEmpty();
        assertThat(forecast.tooLong(of(28_000), START + 600)).as("300 of 400").isEmpty();
    }

    @Test
    void givesUpWhatIsSortedTooLate() {
        assertThat(forecast.tooLong(of(0), START)).isEmpty();
        assertThat(forecast.tooLong(of(4_000), START + 800)).isEmpty();
        assertThat(forecast.tooLong(of(28_000), START + 900)).as("300 of 100").isEmpty();
        assertThat(forecast.tooLong(of(52_000), START + 1000))
                .as("of 0")
                .hasValue(Duration.ofNanos(200));
    }

    /** Nobody knows whether it is at something else. */
    @Test
    void waitsForASpillThatDoesNotGoOn() {
        assertThat(forecast.tooLong(of(5000), START)).isEmpty();
        assertThat(forecast.tooLong(of(5000), START + 300)).isEmpty();
    }

    /** Each record has some more bytes. */
    @Test
    void waitsForASpillThatHasMoreInItThanItsRecords() {
        assertThat(forecast.tooLong(of(SPILL - 1), START)).isEmpty();
        assertThat(forecast.tooLong(of(SPILL + 1), START + 999)).isEmpty();
    }

    private static SpillProgress of(long written) {
        return new SpillProgress(written, SPILL);
    }
}
