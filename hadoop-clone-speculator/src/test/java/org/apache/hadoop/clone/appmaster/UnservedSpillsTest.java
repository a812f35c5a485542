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

import static org.mockito.Mockito.isA;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEventStatus;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptCompletedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("rawtypes") // as AppContext
class UnservedSpillsTest {
    private final EventHandler<Event> events = mock();

    /** The attempts of an AppMaster's begin at a thousand for each one before it. */
    @ParameterizedTest
    @CsvSource({
        "2, MAP, 0, SUCCEEDED, true",
        "3, MAP, 1001, SUCCEEDED, true",
        "2, MAP, 1000, SUCCEEDED, false",
        "1, MAP, 0, SUCCEEDED, false",
        "2, REDUCE, 0, SUCCEEDED, false",
        "2, MAP, 0, KILLED, false"
    })
    void mapsThatSucceededUnderAnAppMasterBeforeRunAgain(
            int appMaster,
            TaskType kind,
            int attempt,
            TaskAttemptCompletionEventStatus status,
            boolean again) {
        AppContext context = mock(AppContext.class);
        when(context.getApplicationAttemptId())
                .thenReturn(
                        ApplicationAttemptId.newInstance(
                                ApplicationId.newInstance(1, 1), appMaster));
        when(context.getEventHandler()).thenReturn(events);
        TaskAttemptCompletionEvent end = Records.newRecord(TaskAttemptCompletionEvent.class);
        end.setAttemptId(TypeConverter.toYarn(new TaskAttemptID("1", 1, kind, 0, attempt)));
        end.setStatus(status);
        new UnservedSpills(context).handle(new JobTaskAttemptCompletedEvent(end));

        verify(events, again ? times(1) : never()).handle(isA(TaskAttemptKillEvent.class));
    }
}
