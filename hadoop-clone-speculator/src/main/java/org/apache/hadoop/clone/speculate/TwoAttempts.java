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

import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * An attempt and a second one that were under way when their task was asked last. As long as they
 * are the task, which would copy its attempts, isn't asked again; all that is to be decided is
 * whether the second is to end in favour of another.
 *
 * @param tries how many attempts the task has had beside its first
 * @param slack what must change before the second can be off schedule, if neither reports more
 */
record TwoAttempts(TaskAttempt first, TaskAttempt second, int tries, Slack slack)
        implements UnderWay {
    TwoAttempts(TaskAttempt first, TaskAttempt second, int tries) {
        this(first, second, tries, Slack.NONE);
    }

    TwoAttempts with(Slack slack) {
        return new TwoAttempts(first, second, tries, slack);
    }

    boolean has(TaskAttemptId id) {
        return first.getID().equals(id) || second.getID().equals(id);
    }

    /**
     * Whether both do what they are for.
     *
     * @param mapsRun whether a reduce that fetches may be waiting for them
     */
    boolean bothWork(boolean mapsRun) {
        return first.getState() == TaskAttemptState.RUNNING
                && second.getState() == TaskAttemptState.RUNNING
                && !(mapsRun && second.getPhase() == Phase.SHUFFLE);
    }

    boolean areUnderWay(Task task) {
        return task.getState() == TaskState.RUNNING
                && StragglerScan.isUnderWay(first.getState())
                && StragglerScan.isUnderWay(second.getState());
    }
}
