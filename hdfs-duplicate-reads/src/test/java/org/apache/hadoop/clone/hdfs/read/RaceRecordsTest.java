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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RaceRecordsTest {
    private long now;
    private final RaceRecords records = new RaceRecords(() -> now);

    /** Every so many is lost. */
    private Optional<Double> race(String node, int races, int lostOf) {
        Optional<Double> told = Optional.empty();
        for (int i = 1; i <= races; i++) {
            Optional<Double> one = records.ended(node, i % lostOf == 0);
            told = one.isPresent() ? one : told;
        }
        return told;
    }

    @Test
    void oneThatLosesMoreThanAFifthIsToldOfOnceAnHour() {
        race("good", 1000, 20);
        assertThat(race("bad", 100, 3))
                .hasValueSatisfying(share -> assertThat(share).isBetween(0.3, 0.4));
        assertThat(race("bad", 1000, 3)).isEmpty();
        now += RaceRecords.QUIET_NANOS;
        assertThat(race("bad", 10, 3)).isPresent();
    }

    @Test
    void oneThatLosesAFifthIsnt() {
        race("good", 1000, 100);
        assertThat(race("node", 1000, 5)).isEmpty();
    }

    @Test
    void oneThatLosesAllIsToldOfAsSoonAsItIsNoChance() {
        assertThat(race("bad", RaceRecords.LEAST - 1, 1)).isEmpty();
        assertThat(race("bad", 1, 1)).hasValue(1.0);
    }

    /** Equal disks that are busy: duplicates win everywhere. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void norIsOneThatLosesNoMoreThanOthers(int lostOf) {
        race("other", 1000, lostOf);
        assertThat(race("node", 1000, lostOf)).isEmpty();
    }

    /** Where nothing is known of others, they may lose half of theirs. */
    @Test
    void norIsOneThatLosesAsManyAsEqualsWouldIfItIsTheOnlyOne() {
        assertThat(race("node", 1000, 2)).isEmpty();
    }

    /** Nobody can lose twice as many there. */
    @ParameterizedTest
    @CsvSource({"2, 1.0, 20", "2, 0.9, 40", "2, 0.8, 60", "3, 0.75, 40"})
    void whereOthersLoseHalfOneThatWinsLessThanHalfOfWhatTheyDoIs(
            int lostOfOthers, double share, int races) {
        race("other", 1000, lostOfOthers);
        Optional<Double> told = Optional.empty();
        for (int i = 1; i <= races && told.isEmpty(); i++) {
            boolean lost = Math.floor(i * share) > Math.floor((i - 1) * share);
            told = records.ended("node", lost);
        }
        assertThat(told).isPresent();
    }

    /** Of 20 races of one that loses a tenth as all others do, 5 are lost now and then. */
    @Test
    void norIsOneThatHasBadLuckOnce() {
        race("other", 1000, 10);
        assertThat(race("node", RaceRecords.LEAST, 4)).isEmpty();
        assertThat(race("node", 4 * RaceRecords.LEAST, 4)).isPresent();
    }

    @Test
    void whatWasLongAgoIsForgotten() {
        race("other", 1000, 100);
        race("node", 10_000, 1000);
        assertThat(race("node", RaceRecords.MOST / 2, 2)).isPresent();
    }
}
