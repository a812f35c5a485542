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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.ArgumentCaptor;

@Timeout(60)
class SpillPollerTest {
    private static final TaskAttemptID REDUCE = new TaskAttemptID("1", 1, TaskType.REDUCE, 0, 0);
    private static final int PATIENCE_MILLIS = 30_000;

    private final SpillProtocol appMaster = mock();
    private final SpillScheduler<?, ?> scheduler = mock();
    private final ExceptionReporter reporter = mock();
    private final SpillPoller poller = new SpillPoller(appMaster, REDUCE, scheduler, reporter, 1);

    /** Part of what the reduce has fetched is void. */
    @BeforeEach
    void voidSomething() throws IOException {
        SpillUpdate voided = SpillUpdate.voided(3, 1);
        SpillUpdate next = SpillUpdate.at(3, 1, 1, "http://host:13562");
        when(appMaster.spillUpdates(any(), eq(0)))
                .thenReturn(new SpillUpdates(List.of(voided, next)));
        when(scheduler.apply(voided)).thenReturn(false);
        when(scheduler.apply(next)).thenReturn(true);
    }

    @AfterEach
    void end() throws InterruptedException {
        poller.shutDown();
    }

    @Test
    void hasAReduceKilledThatMustStartAgain() throws IOException {
        poller.start();
        verify(appMaster, timeout(PATIENCE_MILLIS)).startAgain(REDUCE);
        verify(reporter, never()).reportException(any());
        verify(scheduler).apply(any());
    }

    /** A connection that breaks is no fault of the reduce's. */
    @Test
    void tellsItAgainIfItWasntHeard() throws IOException {
        doThrow(new IOException("reset")).doNothing().when(appMaster).startAgain(REDUCE);
        poller.start();
        verify(appMaster, timeout(PATIENCE_MILLIS).times(2)).startAgain(REDUCE);
        verify(reporter, never()).reportException(any());
    }

    @Test
    void failsAReduceThatNobodyCanKill() throws IOException {
        IOException refused = new IOException("not known");
        doThrow(refused).when(appMaster).startAgain(REDUCE);
        poller.start();
        ArgumentCaptor<Throwable> reported = ArgumentCaptor.forClass(Throwable.class);
        verify(reporter, timeout(PATIENCE_MILLIS)).reportException(reported.capture());
        assertThat(reported.getValue())
                .hasMessageContaining("the AppMaster can't be told")
                .hasCause(refused);
    }
}
