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
package org.clonehadoop.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.speculators.Kind;
import org.junit.jupiter.api.Test;

class DayComparisonTest {
    /** A hundred and one small jobs that take 1 to 101 times as long, and a large one. */
    private static List<DayJob> day(double seconds, int clones) {
        return IntStream.rangeClosed(1, 102)
                .mapToObj(
                        i ->
                                new DayJob(
                                        SizeClass.of(i == 102 ? 5000 : 9),
                                        i * seconds,
                                        1,
                                        clones,
                                        clones / 2,
                                        2))
                .toList();
    }

    private static DayComparison comparison() {
        Map<Kind, List<DayJob>> days = new LinkedHashMap<>();
        days.put(Kind.STOCK, day(10, 0));
        days.put(Kind.OURS, day(8, 4));
        return new DayComparison(days);
    }

    @Test
    void eachClassIsSetBesideStocks() {
        assertThat(comparison().flat())
                .containsEntry("small_jobs", 101)
                .containsEntry("small_stock_mean_s", 510.0)
                .containsEntry("small_stock_median_s", 510.0)
                .containsEntry("small_stock_p99_s", 1000.0)
                .containsEntry("small_stock_mean_over_stock", 1.0)
                .containsEntry("small_ours_mean_over_stock", 0.8)
                .containsEntry("small_ours_median_over_stock", 0.8)
                .containsEntry("small_ours_p99_over_stock", 0.8)
                .containsEntry("small_ours_clones", 404L)
                .containsEntry("small_ours_clones_won", 202L)
                .containsEntry("small_ours_ordered_new", 101L)
                .containsEntry("small_ours_thrown_away_s", 202.0)
                .containsEntry("thousands_jobs", 1);
    }

    @Test
    void classesWithoutJobsAreLeftOut() {
        assertThat(comparison().flat().keySet())
                .noneMatch(key -> key.startsWith("tens") || key.startsWith("hundreds"));
        assertThat(comparison().table().toString())
                .contains("under 10 maps, ours")
                .contains("1000 and more, stock")
                .doesNotContain("10 to 99");
    }

    @Test
    void classesBeginAtPowersOfTen() {
        assertThat(IntStream.of(1, 9, 10, 99, 100, 999, 1000).mapToObj(SizeClass::of))
                .containsExactly(
                        SizeClass.SMALL,
                        SizeClass.SMALL,
                        SizeClass.TENS,
                        SizeClass.TENS,
                        SizeClass.HUNDREDS,
                        SizeClass.HUNDREDS,
                        SizeClass.THOUSANDS);
    }
}
