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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;

/**
 * A second attempt ends in favour of another, which Hadoop begins for each attempt that is killed
 * ({@code TaskImpl.AttemptKilledTransition}). An event of its own, since one that has succeeded by
 * the time it is handled must not be killed any more: of a map that would take back its output.
 */
@InterfaceAudience.Private
public final class SecondAttemptKill extends TaskAttemptKillEvent {
    public SecondAttemptKill(TaskAttemptId second) {
        super(second, "it straggles as the attempt before it does: another takes its place");
    }
}
