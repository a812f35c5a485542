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
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

/** What its caller and its duplicate tell a stream's window, in an order of the test's. */
class WindowRaceTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private static final DatanodeInfo NODE = ReplicaOrderTest.node("a");

    private final Connection connection = new Connection(null);
    private final Duplicates duplicates = mock(Duplicates.class);

    private WindowRace race(Policy policy) {
        return race(policy, LONG, (race, from) -> null);
    }

    private WindowRace race(Policy policy, Duration patience, WindowRace.Sender sender) {
        ReadSettings settings =
                new ReadSettings(policy, 2000, 3, Optional.empty(), false, Optional.empty());
        when(duplicates.settings()).thenReturn(settings);
        when(duplicates.nextJob()).thenReturn(JobId.random(new Random(1)));
        when(duplicates.order()).thenReturn(new ReplicaOrder(null));
        when(duplicates.threads()).thenReturn(DuplicateThreads.of(settings));
        when(duplicates.statistics()).thenReturn(DuplicateReadStatistics.ofJvm());
        return new WindowRace(duplicates, NODE, connection, false, patience.toNanos(), 0, sender);
    }

    /** One whose caller has waited for too long, so that it has this duplicate. */
    private WindowRace raceAgainst(DuplicateRead duplicate) {
        WindowRace race = race(Policy.das(Duration.ZERO), Duration.ZERO, (of, from) -> duplicate);
        race.callerWaits(0, false);
        race.outOfPatience();
        return race;
    }

    private static WindowCopy copy() {
        return new WindowCopy(
                NODE,
                0,
                List.of(ByteBuffer.allocate(10)),
                new DuplicateMemory(10).take(10).orElseThrow());
    }

    /** Of the primary, which was ended, the caller knows before the copy is complete. */
    @Test
    void aCopyThatComesBeforeItIsAwaitedWins() {
        WindowRace race = race(Policy.tied());
        WindowCopy copy = copy();
        race.callerWaits(0, false);
        race.duplicateStarted();
        assertThat(connection.hasEnded()).isTrue();
        race.callerGoesOn();
        assertThat(race.duplicateCompleted(copy)).isTrue();
        race.callerWaits(0, false);
        assertTimeoutPreemptively(LONG, () -> assertThat(race.awaitsDuplicate()).isTrue());
        race.callerGoesOn();
        assertThat(race.takeCopy()).isSameAs(copy);
    }

    /** Each wait is shorter than the delay, all together are longer. */
    @Test
    void aCopyWinsAgainstBytesThatTrickle() {
        WindowRace race = race(Policy.das(Duration.ofMillis(20)));
        WindowCopy copy = copy();
        race.callerWaits(0, false);
        race.callerGoesOn();
        // Not while it waits: by a slow machine that one wait might be long enough.
        assertThat(race.duplicateCompleted(copy)).isTrue();
        assertThat(race.takeCopy()).isNull();
        assertTimeoutPreemptively(
                LONG,
                () -> {
                    WindowCopy won = null;
                    while (won == null) {
                        race.callerWaits(0, false);
                        race.patienceMillis();
                        race.callerGoesOn();
                        won = race.takeCopy();
                    }
                    assertThat(won).isSameAs(copy);
                });
        assertThat(connection.hasEnded()).isTrue();
    }

    @Test
    void aCopyThatNobodyWaitsForHasNotWon() {
        WindowRace race = race(Policy.das(Duration.ZERO));
        assertThat(race.duplicateCompleted(copy())).isTrue();
        assertThat(race.takeCopy()).isNull();
        race.over(10);
        assertThat(connection.hasEnded()).isFalse();
    }

    /** Whose duplicate had its turn, and lost. */
    @Test
    void ofARaceThePrimarysDataNodeIsTold() {
        WindowRace race = raceAgainst(asked());
        race.duplicateStarted();
        race.over(10);
        verify(duplicates).ended(NODE, false);
    }

    /** Else only reads that take long would count, and an idle DataNode look ill. */
    @Test
    void aPrimaryThatIsDoneBeforeItsDuplicatesTurnComesHasWon() {
        WindowRace race = raceAgainst(asked());
        race.over(10);
        verify(duplicates).ended(NODE, false);
    }

    /** It may have waited for a thread or for memory, or been refused. */
    @Test
    void oneWhoseDuplicateWasNeverSentOrFailedIsNoRace() {
        raceAgainst(mock(DuplicateRead.class)).over(10);
        WindowRace failed = raceAgainst(asked());
        failed.duplicateFailed();
        failed.over(10);
        verify(duplicates, never()).ended(any(), anyBoolean());
    }

    private static DuplicateRead asked() {
        DuplicateRead duplicate = mock(DuplicateRead.class);
        when(duplicate.asked()).thenReturn(NODE);
        return duplicate;
    }
}
