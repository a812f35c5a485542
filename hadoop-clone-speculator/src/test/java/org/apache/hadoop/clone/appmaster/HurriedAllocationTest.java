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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class HurriedAllocationTest {
    private final Queue<Runnable> scheduled = new ArrayDeque<>();
    private final ScheduledExecutorService executor = mock(ScheduledExecutorService.class);
    private final ArgumentCaptor<Runnable> run = ArgumentCaptor.forClass(Runnable.class);
    private int beats;
    private int grantedBy = Integer.MAX_VALUE;
    private boolean unreachable;
    private boolean unwanted;
    private boolean broken;
    private long now;
    private final HeartbeatAllowance allowance = new HeartbeatAllowance(1, () -> now);
    private final HurriedAllocation allocation =
            new HurriedAllocation(this::beat, this::isWaiting, allowance, executor);

    HurriedAllocationTest() {
        lenient()
                .when(executor.schedule(any(Runnable.class), anyLong(), any(TimeUnit.class)))
                .thenAnswer(
                        call -> {
                            scheduled.add(call.getArgument(0));
                            return null;
                        });
    }

    private boolean isWaiting() {
        if (broken) {
            throw new IllegalStateException("the test wants it");
        }
        return beats < grantedBy;
    }

    /** What has been saved up lasts for all that one backup may want. */
    private void begin() {
        now += TimeUnit.HOURS.toMillis(1);
        allocation.begin();
    }

    private boolean beat() throws IOException {
        beats++;
        if (unreachable) {
            throw new IOException("the test wants it");
        }
        return !unwanted;
    }

    private void runAll() {
        while (!scheduled.isEmpty()) {
            scheduled.remove().run();
        }
    }

    @Test
    void asksUntilTheContainerIsThereAndThenNoMore() {
        grantedBy = 3;
        begin();
        runAll();
        assertThat(beats).isEqualTo(3);
    }

    @Test
    void givesUpWhenNothingIsFreeAndBeginsAgainWithTheNextBackup() {
        begin();
        runAll();
        assertThat(beats).isEqualTo(HurriedAllocation.BEATS);
        begin();
        runAll();
        assertThat(beats).isEqualTo(2 * HurriedAllocation.BEATS);
    }

    @Test
    void severalBackupsAreAskedForTogether() {
        begin();
        begin();
        assertThat(scheduled).hasSize(1);
        scheduled.remove().run();
        begin();
        runAll();
        assertThat(beats).isEqualTo(1 + HurriedAllocation.BEATS);
    }

    @Test
    void backupsThatFollowEachOtherDoNotAskMoreThanIsAllowed() {
        begin();
        for (int i = 0; i < 100; i++) {
            allocation.begin();
            runAll();
        }
        assertThat(beats).isEqualTo(HeartbeatAllowance.MOST);
    }

    @Test
    void whoWantsAnExchangeIsToldOnceItHasTakenPlace() {
        Runnable told = mock(Runnable.class);
        allocation.exchange(told);
        verify(executor).execute(run.capture());
        verify(told, never()).run();
        run.getValue().run();
        assertThat(beats).isOne();
        verify(told).run();
    }

    /** Else a reduce would never give way any more for those that come after. */
    @Test
    void anExchangeThatFailsIsMadeOnceMoreUntilItIsDone() {
        Runnable told = mock(Runnable.class);
        unreachable = true;
        allocation.exchange(told);
        verify(executor).execute(run.capture());
        run.getValue().run();
        scheduled.remove().run();
        verify(told, never()).run();
        unreachable = false;
        scheduled.remove().run();
        verify(told).run();
        assertThat(beats).isEqualTo(3);
        assertThat(scheduled).isEmpty();
    }

    @Test
    void soIsOneThatIsNotToBeNow() {
        Runnable told = mock(Runnable.class);
        unwanted = true;
        allocation.exchange(told);
        verify(executor).execute(run.capture());
        run.getValue().run();
        verify(told, never()).run();
        unwanted = false;
        runAll();
        verify(told).run();
        assertThat(beats).isEqualTo(2);
    }

    @Test
    void nothingIsMadeOnceMoreWhenTheAppMasterEnds() {
        unreachable = true;
        allocation.exchange(mock(Runnable.class));
        verify(executor).execute(run.capture());
        when(executor.isShutdown()).thenReturn(true);
        run.getValue().run();
        assertThat(scheduled).isEmpty();
    }

    @Test
    void whatBreaksOnceBeginsAgainWithTheNextBackup() {
        broken = true;
        begin();
        assertThatThrownBy(this::runAll).isInstanceOf(IllegalStateException.class);
        broken = false;
        begin();
        runAll();
        assertThat(beats).isEqualTo(HurriedAllocation.BEATS);
    }

    @Test
    void anExchangeThatFailsIsTheLastUntilTheNextBackup() {
        unreachable = true;
        begin();
        runAll();
        assertThat(beats).isEqualTo(1);
        begin();
        runAll();
        assertThat(beats).isEqualTo(2);
    }

    @Test
    void asksNobodyAnyMoreWhenTheAppMasterEnds() {
        begin();
        lenient().when(executor.isShutdown()).thenReturn(true);
        allocation.close();
        verify(executor).shutdownNow();
        runAll();
        begin();
        assertThat(scheduled).isEmpty();
    }
}
