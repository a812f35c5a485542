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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.limits.CloneSlots;
import org.apache.hadoop.clone.limits.ContainerBudget;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.limits.SlotLimit;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of clones under way when an operator switches them off, and of orders beyond caps.
 */
class SwitchedOffClonesTest {
    private static final Permission OFF = new Permission(Optional.of("it says off"), List.of());

    private final CoordinatorFixture job = new CoordinatorFixture();
    private Permission permission = Permission.ALL;

    @BeforeEach
    void obey() {
        job.coordinator.obey(() -> permission);
    }

    private void switchOff() {
        permission = OFF;
        job.passes(1);
    }

    private void assertNoClone(CloneCounter end) {
        assertThat(job.counters).containsEntry(end, 1L);
        assertThat(job.diagnostics.get(job.original)).containsExactly("no clone: it says off");
        assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.CANCEL);
        assertThat(job.coordinator.isUnderWay(job.original.getTaskId())).isFalse();
    }

    @Test
    void nothingIsOrderedAnyMore() {
        permission = OFF;
        job.asked();
        assertThat(job.lastOrder()).isEmpty();
        assertThat(job.counters).isEmpty();
    }

    @Test
    void anOriginalThatWasAskedIsNotClonedAndNoAttemptIsOrdered() {
        job.asked();
        switchOff();
        assertNoClone(CloneCounter.CLONES_GIVEN_UP);
        assertThat(job.taskEvents).isEmpty();
    }

    @Test
    void anAttemptThatWaitsForItsContainerBeginsAtZero() {
        job.waiting();
        switchOff();
        assertNoClone(CloneCounter.CLONES_FELL_BACK);
        assertThat(job.coordinator.launching(job.launchOf(job.backup))).isFalse();
    }

    @Test
    void anAttemptThatIsHeldBeginsAtZero() {
        job.offering();
        switchOff();
        assertNoClone(CloneCounter.CLONES_FELL_BACK);
        assertThat(job.launched)
                .singleElement()
                .satisfies(
                        launch ->
                                assertThat(launch.getContainerLaunchContext().getCommands())
                                        .containsExactly(CoordinatorFixture.STOCK));
    }

    @Test
    void anOriginalIsNotFrozenAnyMore() {
        job.pulling();
        switchOff();
        assertNoClone(CloneCounter.CLONES_FELL_BACK);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
    }

    @Test
    void anImageThatIsOnItsWayIsTurnedAway() {
        job.freezing();
        long clone = job.cloneId();
        switchOff();
        assertNoClone(CloneCounter.CLONES_FELL_BACK);
        assertThatThrownBy(
                        () ->
                                job.coordinator.becomeClone(
                                        CoordinatorFixture.wire(job.original),
                                        clone,
                                        CoordinatorFixture.containerId(job.backup).toString()))
                .isInstanceOf(IOException.class);
        assertThat(job.coordinator.mayBeClone(job.backup)).as("its end is no failure").isTrue();
    }

    /** It is an attempt like any other, and its original may fail. */
    @Test
    void aCloneThatRunsGoesOnAndMayWin() throws IOException {
        job.running();
        switchOff();
        assertThat(job.coordinator.isUnderWay(job.original.getTaskId())).isTrue();
        job.coordinator.ended(job.backup, true);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_WON, 1L);
    }

    @Test
    void switchedOnAgainTheSameOriginalMayBeCloned() {
        job.waiting();
        switchOff();
        permission = Permission.ALL;
        job.passes(TimeUnit.SECONDS.toMillis(10));
        assertThat(job.coordinator.obstacle(job.original)).isEmpty();
        job.asked();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 2L);
    }

    /** Its original would have ended by itself after 200 s, another from zero after 100 s. */
    @Test
    void aCloneThatWinsHasSavedWhatTheNextBestWouldHaveTaken() throws IOException {
        job.running();
        job.now.addAndGet(30_000);
        job.coordinator.ended(job.backup, true);
        assertThat(job.counters).containsEntry(CloneCounter.WON_MILLIS, 70_000L);
    }

    @Test
    void anOrderThatGetsNoSlotIsNone() {
        Configuration conf = new Configuration(false);
        conf.set("fs.defaultFS", "nofs://nowhere");
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        permission = new Permission(Optional.empty(), List.of(new SlotLimit("cluster", 5)));
        List<String> spent = new ArrayList<>();
        try (CloneSlots slots = CloneSlots.of(conf)) {
            slots.init(conf);
            slots.start();
            LimitedCloner cloner =
                    new LimitedCloner(
                            job.coordinator,
                            Optional.of(slots),
                            new ContainerBudget(10),
                            () -> 10_000);
            cloner.spent().ifPresent(spent::add);
            assertThat(cloner.obstacle(job.original)).isEmpty();
            cloner.clone(job.original, CoordinatorFixture.SCORE);
            assertThat(job.lastOrder()).isEmpty();
            assertThat(cloner.obstacle(job.original).orElseThrow())
                    .startsWith("no access to its slots: ");

            permission = Permission.ALL;
            cloner.clone(job.original, CoordinatorFixture.SCORE);
            assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.PREPARE);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        assertThat(spent).hasSize(1);
    }
}
