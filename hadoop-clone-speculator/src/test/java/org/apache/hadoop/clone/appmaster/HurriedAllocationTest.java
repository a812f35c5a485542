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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HurriedAllocationTest {
    private final Queue<Runnable> scheduled = new ArrayDeque<>();
    private final ScheduledExecutorService executor = mock(ScheduledExecutorService.class);
    private int beats;
    private int grantedBy = Integer.MAX_VALUE;
    private boolean unreachable;
    private final HurriedAllocation allocation =
            new HurriedAllocation(this::beat, () -> beats < grantedBy, executor);

    HurriedAllocationTest() {
        lenient()
                .when(executor.schedule(any(Runnable.class), anyLong(), any(TimeUnit.class)))
                .thenAnswer(
                        call -> {
                            scheduled.add(call.getArgument(0));
                            return null;
                        });
    }

    private void beat() throws IOException {
        beats++;
        if (unreachable) {
            throw new IOException("the test wants it");
        }
    }

    private void runAll() {
        while (!scheduled.isEmpty()) {
            scheduled.remove().run();
        }
    }

    @Test
    void asksUntilTheContainerIsThereAndThenNoMore() {
        grantedBy = 3;
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(3);
    }

    @Test
    void givesUpWhenNothingIsFreeAndBeginsAgainWithTheNextBackup() {
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(HurriedAllocation.BEATS);
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(2 * HurriedAllocation.BEATS);
    }

    @Test
    void severalBackupsAreAskedForTogether() {
        allocation.begin();
        allocation.begin();
        assertThat(scheduled).hasSize(1);
        scheduled.remove().run();
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(1 + HurriedAllocation.BEATS);
    }

    @Test
    void anExchangeThatFailsIsTheLastUntilTheNextBackup() {
        unreachable = true;
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(1);
        allocation.begin();
        runAll();
        assertThat(beats).isEqualTo(2);
    }

    @Test
    void asksNobodyAnyMoreWhenTheAppMasterEnds() {
        allocation.begin();
        lenient().when(executor.isShutdown()).thenReturn(true);
        allocation.close();
        verify(executor).shutdownNow();
        runAll();
        allocation.begin();
        assertThat(scheduled).isEmpty();
    }
}
