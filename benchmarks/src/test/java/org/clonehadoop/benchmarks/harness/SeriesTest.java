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
package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.clonehadoop.benchmarks.harness.Series.Interval;
import org.junit.jupiter.api.Test;

class SeriesTest {
    @Test
    void medianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Series.of(9, 1, 5).median()).isEqualTo(5);
    }

    @Test
    void medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        assertThat(Series.of(4, 1, 3, 100).median()).isEqualTo(3.5);
    }

    @Test
    void extremesDoNotDependOnTheOrder() {
        Series series = Series.of(3, -1, 7, 2);
        assertThat(series.min()).isEqualTo(-1);
        assertThat(series.max()).isEqualTo(7);
    }

    @Test
    void looksKeepTheOrderOfTheRuns() {
        Series series = Series.of(3, 1, 2);
        series.median();
        assertThat(series.get(0)).isEqualTo(3);
    }

    @Test
    void ratiosAreTakenRunByRun() {
        Series ratios = Series.of(10, 30, 20).over(Series.of(5, 10, 40));
        assertThat(ratios.get(0)).isEqualTo(2);
        assertThat(ratios.get(1)).isEqualTo(3);
        assertThat(ratios.get(2)).isEqualTo(0.5);
        assertThat(ratios.size()).isEqualTo(3);
    }

    @Test
    void onlyPairsHaveRatios() {
        assertThatThrownBy(() -> Series.of(1, 2).over(Series.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 and 1");
    }

    @Test
    void refusesWhatIsNoMeasurement() {
        assertThatThrownBy(() -> Series.of(1.0 / 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Series.of(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingMeasuredHasNoMedian() {
        assertThatThrownBy(() -> new Series().median()).isInstanceOf(IllegalStateException.class);
    }

    /** Five coins all fall on the same side with a probability of 2 / 32. */
    @Test
    void intervalOfFiveIsAllThereIs() {
        Interval interval = Series.of(5, 4, 3, 2, 1).medianInterval();
        assertThat(interval).isEqualTo(new Interval(1, 5, 1 - 2.0 / 32));
    }

    @Test
    void intervalOfOneClaimsNothing() {
        assertThat(Series.of(7).medianInterval()).isEqualTo(new Interval(7, 7, 0));
    }

    /** From tables of the sign test: of 10 values from the 2nd to the 9th, 97.9 %. */
    @Test
    void intervalOfTenLeavesOutOneOnEachSide() {
        Interval interval = oneTo(10).medianInterval();
        assertThat(interval.low()).isEqualTo(2);
        assertThat(interval.high()).isEqualTo(9);
        assertThat(interval.confidence()).isCloseTo(0.979, within(0.0005));
    }

    /** From tables of the sign test: of 100 values from the 40th to the 61st, 96.5 %. */
    @Test
    void intervalOfManyIsNarrow() {
        Interval interval = oneTo(100).medianInterval();
        assertThat(interval.low()).isEqualTo(40);
        assertThat(interval.high()).isEqualTo(61);
        assertThat(interval.confidence()).isCloseTo(0.965, within(0.0005));
    }

    private static Series oneTo(int count) {
        return Series.of(DoubleStream.iterate(1, value -> value + 1).limit(count).toArray());
    }
}
