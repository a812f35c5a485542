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
package org.clonehadoop.benchmarks.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clonehadoop.benchmarks.coverage.AppMasterLog.Clones;
import org.junit.jupiter.api.Test;

class AppMasterLogTest {
    private static final String MAP = "attempt_1_0001_m_000000_0";
    private static final String CLONE = "attempt_1_0001_m_000000_1";
    private static final String HEAD = "2026-01-01 00:00:00,000 INFO [x] org.x.CloneCoordinator: ";

    private static String clone(String rest) {
        return HEAD + "clone 1 of " + MAP + " as " + CLONE + ": " + rest;
    }

    private static Clones maps(String... lines) {
        return AppMasterLog.read(List.of(lines), "m");
    }

    @Test
    void aCloneThatWinsHasRunAndNotDied() {
        assertThat(maps(clone("BECOMING -> RUNNING"), clone("RUNNING -> WON")))
                .extracting(Clones::ran, Clones::won, Clones::died)
                .containsExactly(1, 1, 0);
    }

    @Test
    void aCloneThatIsLostBeforeItsOriginalHasSucceededHasDied() {
        assertThat(maps(clone("BECOMING -> RUNNING"), clone("RUNNING -> LOST: its attempt failed")))
                .extracting(Clones::ran, Clones::died)
                .containsExactly(1, 1);
    }

    @Test
    void aCloneWhoseOriginalIsSoonerHasNotDied() {
        assertThat(
                        maps(
                                clone("BECOMING -> RUNNING"),
                                HEAD
                                        + MAP
                                        + " TaskAttempt Transitioned from COMMIT_PENDING to"
                                        + " SUCCESS_FINISHING_CONTAINER",
                                clone("RUNNING -> LOST: its attempt has ended")))
                .extracting(Clones::ran, Clones::died)
                .containsExactly(1, 0);
    }

    @Test
    void aRefusalThatCostNothingIsNotInVain() {
        Clones clones =
                maps(
                        HEAD + "clone 1 of " + MAP + ": ASKED -> GIVEN_UP: it has children",
                        HEAD + "clone 2 of " + MAP + ": ASKED -> GIVEN_UP: it has threads");
        assertThat(clones.inVain()).isZero();
        assertThat(clones.why()).contains("it has threads");
    }

    @Test
    void whatFellBackUsedAContainerInVain() {
        Clones clones = maps(clone("PULLING -> FELL_BACK: no record boundary"));
        assertThat(clones.inVain()).isEqualTo(1);
        assertThat(clones.why()).contains("no record boundary");
    }

    @Test
    void whoWasNeverAskedHasTheSpeculatorsReason() {
        assertThat(
                        maps("2026 INFO [x] org.x.CloneSpeculator: NONE "
                                        + MAP
                                        + ": few have ended")
                                .why())
                .contains("few have ended");
    }

    @Test
    void reducesAreNoMaps() {
        assertThat(AppMasterLog.read(List.of(clone("BECOMING -> RUNNING")), "r").ran()).isZero();
    }
}
