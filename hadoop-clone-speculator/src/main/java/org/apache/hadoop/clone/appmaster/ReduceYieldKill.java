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

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;

/**
 * A reduce that waits for maps gives its container to a map's second attempt. An event of its own,
 * since that may have been given another one by the time this is handled: nobody gives way then.
 */
final class ReduceYieldKill extends TaskAttemptKillEvent {
    private final TaskAttemptId backup;

    /**
     * @param backup which waits for a container
     */
    ReduceYieldKill(TaskAttemptId reduce, TaskAttemptId backup, String why) {
        super(reduce, why);
        this.backup = backup;
    }

    TaskAttemptId backup() {
        return backup;
    }
}
