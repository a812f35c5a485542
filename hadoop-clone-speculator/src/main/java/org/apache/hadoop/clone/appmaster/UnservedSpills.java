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

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEventStatus;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptCompletedEvent;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * For an AppMaster that can't serve spills, after one that may have done so. Stock's recovery takes
 * the maps that had succeeded for done; but reduces, which are stock's now, would ask for outputs
 * that were never made. So these maps run again.
 */
final class UnservedSpills implements EventHandler<JobEvent> {
    /** By which stock tells the attempts of one AppMaster from those of the next. */
    private static final int ATTEMPTS_OF_AN_APP_MASTER = 1000;

    private final AppContext context;

    UnservedSpills(AppContext context) {
        this.context = context;
    }

    @Override
    public void handle(JobEvent event) {
        if (event instanceof JobTaskAttemptCompletedEvent completed
                && completed.getCompletionEvent().getStatus()
                        == TaskAttemptCompletionEventStatus.SUCCEEDED) {
            TaskAttemptId attempt = completed.getCompletionEvent().getAttemptId();
            if (attempt.getTaskId().getTaskType() == TaskType.MAP && isOfOneBefore(attempt)) {
                SpillService.runAgain(context, attempt, "Its spills can't be served any more");
            }
        }
    }

    private boolean isOfOneBefore(TaskAttemptId attempt) {
        int appMaster = context.getApplicationAttemptId().getAttemptId();
        return attempt.getId() < (appMaster - 1) * ATTEMPTS_OF_AN_APP_MASTER;
    }
}
