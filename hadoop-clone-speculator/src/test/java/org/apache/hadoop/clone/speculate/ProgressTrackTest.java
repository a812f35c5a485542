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
package org.apache.hadoop.clone.speculate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ProgressTrackTest {
    private static final Offset<Double> NEARLY = within(1e-9);

    private ProgressTrack track;

    /** A report every three seconds, the first at 0. */
    private void report(double... progress) {
        track = new ProgressTrack(progress[0], Phase.MAP, 0);
        for (int i = 0; i < progress.length; i++) {
            track.reported(progress[i], Phase.MAP, i * 3_000L);
        }
    }

    @Test
    void isUnknownUntilItHasBeenWatchedForLongEnough() {
        report(0.1, 0.2, 0.3, 0.4, 0.5);
        assertThat(track.pace(false, 14_999).perMilli()).isNaN();
        assertThat(track.pace(false, 15_000).perMilli()).isNotNaN();
    }

    @Test
    void isWhatWasDoneInTheWindowAndTheStepUnderWay() {
        report(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
        assertThat(track.pace(false, 15_000).perMilli()).isCloseTo(0.6 / 15_000, NEARLY);
    }

    @Test
    void forgetsWhatWasBefore() {
        report(0.0, 0.5, 0.9, 0.901, 0.902, 0.903, 0.904, 0.905);
        // Since 6 s: 0.005, and one step of 0.001.
        assertThat(track.pace(false, 21_000).perMilli()).isCloseTo(0.006 / 15_000, NEARLY);
    }

    @Test
    void aStepIntoTheWindowCountsByItsPartInIt() {
        report(0.1, 0.7, 0.71, 0.72, 0.73, 0.74);
        // From 1 s on, a third of the first step; then what follows it, and one of 0.01.
        double done = 0.74 - 0.3 + 0.01;
        assertThat(track.pace(false, 16_000).perMilli()).isCloseTo(done / 15_000, NEARLY);
        // From 3 s on, nothing of it.
        assertThat(track.pace(false, 18_000).perMilli()).isCloseTo(0.05 / 15_000, NEARLY);
    }

    @Test
    void ofOneThatIsOverdueLessIsAskedFor() {
        report(0.2, 0.3, 0.301, 0.302, 0.303);
        assertThat(track.pace(true, 4_999).perMilli()).isNaN();
        // Since 7 s: two thirds of a step, a whole one, and the one under way.
        assertThat(track.pace(true, 12_000).perMilli())
                .isCloseTo(0.001 * (2 / 3.0 + 2) / 5_000, NEARLY);
        assertThat(track.pace(false, 12_000).perMilli()).isNaN();
        // What only the longer window reaches back to isn't forgotten.
        assertThat(track.pace(false, 15_000).perMilli()).isCloseTo(0.104 / 15_000, NEARLY);
        assertThat(track.pace(true, 22_000).perMilli()).isCloseTo(0.001 / 10_000, NEARLY);
    }

    @Test
    void oneThatStandsStillGetsSlowerAllTheTime() {
        report(0.2, 0.3);
        assertThat(track.pace(false, 18_000).perMilli()).isCloseTo(0.1 / 15_000, NEARLY);
        assertThat(track.pace(false, 33_000).perMilli()).isCloseTo(0.1 / 30_000, NEARLY);
        assertThat(track.pace(false, 12_000).silent()).isFalse();
        assertThat(track.pace(false, 12_001).silent()).isTrue();
    }

    @Test
    void reportsThatSayTheSameAreNoMoves() {
        report(0.2, 0.3, 0.3, 0.3, 0.3, 0.3);
        assertThat(track.pace(false, 15_000).silent()).isTrue();
        assertThat(track.pace(false, 18_000).perMilli()).isCloseTo(0.1 / 15_000, NEARLY);
    }

    @Test
    void progressThatFallsBackIsNone() {
        report(0.2, 0.3, 0.25, 0.25, 0.25, 0.25);
        assertThat(track.pace(false, 15_000).perMilli()).isCloseTo((0.05 + 0.1) / 15_000, NEARLY);
    }

    @Test
    void anotherPhaseIsWatchedAnew() {
        report(0.2, 0.4, 0.6);
        track.reported(0.667, Phase.SORT, 9_000);
        // A map's last spill: no step yet, however long it takes.
        assertThat(track.pace(false, 60_000).perMilli()).isNaN();
        track.reported(0.767, Phase.SORT, 61_000);
        // The step took 52 s, of which 14 in the window.
        assertThat(track.pace(false, 62_000).perMilli())
                .isCloseTo((0.1 * 14 / 52 + 0.1) / 15_000, NEARLY);
    }

    @Test
    void whoNeverMovedHasNoPace() {
        report(0);
        assertThat(track.pace(false, 60_000).perMilli()).isNaN();
        assertThat(track.pace(false, 60_000).silent()).isTrue();
    }
}
