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

import org.apache.hadoop.clone.estimate.SlowSpell.Outlook;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work of 100 s, heard every second; what one report may be wrong by is next to nothing. */
class SlowSpellTest {
    private static final double WORK = 100;
    private static final double SHORTEST = 0.001;

    private final WorkCurve curve = new WorkCurve();

    @BeforeEach
    void begin() {
        curve.add(0, 0);
    }

    private void works(int seconds, double pace) {
        for (int i = 0; i < seconds; i++) {
            curve.add(curve.work(curve.last()) + pace, curve.at(curve.last()) + 1);
        }
    }

    private SlowSpell spell(double usualPace) {
        double left = WORK - curve.work(curve.last());
        return new SlowSpell(curve, left, usualPace, SHORTEST, EstimateRules.PRESET);
    }

    private Outlook outlook(double usualPace) {
        return spell(usualPace).outlook();
    }

    private double remaining() {
        return outlook(1).remaining();
    }

    @Test
    void whatGoesOnAsUsualNeedsWhatTheRestUsuallyTakes() {
        works(30, 1);
        assertThat(remaining()).isCloseTo(70, within(0.1));
        assertThat(outlook(1).own()).isFalse();
    }

    @Test
    void whatWasSlowFromTheBeginningStaysSo() {
        works(40, 0.25);
        assertThat(remaining()).isCloseTo(360, within(0.2));
    }

    @Test
    void whatItLatelyDidItMayGoOnDoing() {
        works(50, 1);
        works(25, 0.5);
        assertThat(remaining()).isCloseTo(37.5 / 0.5, within(0.1));
        assertThat(outlook(1).own()).isFalse();
    }

    /** In a short part of a long time. */
    @Test
    void aSpellIsToLastAsLongAgain() {
        works(90, 1);
        works(8, 0);
        assertThat(remaining()).isCloseTo(8 + 10, within(0.1));
        assertThat(outlook(1).own()).isTrue();
        assertThat(outlook(1).paceBefore()).isCloseTo(1, within(0.001));
        works(4, 0);
        assertThat(remaining()).isCloseTo(12 + 10, within(0.1));
    }

    @Test
    void aSpellMayOutlastTheWork() {
        works(95, 1);
        works(20, 0.1);
        // 18 s were lost, but at this pace the 3 that are left take 30.
        assertThat(remaining()).isCloseTo(18 + 3, within(0.1));
        works(20, 0.1);
        assertThat(remaining()).isCloseTo(1 / 0.1, within(0.1));
    }

    @Test
    void aSpellThatIsOverIsForgotten() {
        works(20, 1);
        works(10, 0);
        works(40, 1);
        assertThat(remaining()).isCloseTo(40, within(0.1));
    }

    @Test
    void anAttemptThatIsDoneAndDoesNotEndNeedsAsLongAsItHasWaited() {
        works(100, 1);
        curve.add(100, 130);
        assertThat(remaining()).isCloseTo(30, within(0.1));
    }

    /** Three seconds may be missing from each. */
    @Test
    void littleThatIsHeardSaysLittle() {
        curve.add(0.5, 4);
        double remaining =
                new SlowSpell(curve, 99.5, 1, 3, EstimateRules.PRESET).outlook().remaining();
        assertThat(remaining).isCloseTo(99.5 / ((0.5 * 0.75 + 3) / 6), within(0.1));
    }

    @Test
    void itIsNeverSlowerThanSinceTheWorstMoment() {
        works(60, 1);
        assertThat(spell(1).slownessAtMost()).isCloseTo(1, within(0.001));
        works(10, 0.5);
        assertThat(spell(1).slownessAtMost()).isCloseTo(2, within(0.001));
        assertThat(remaining()).isLessThan(2 * 35);
        works(1, 0);
        assertThat(spell(1).slownessAtMost()).isInfinite();
    }
}
