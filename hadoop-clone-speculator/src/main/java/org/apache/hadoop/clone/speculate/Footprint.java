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
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * What an attempt's last report says of what a clone of it would have to copy.
 *
 * @param localBytes written to local disks
 * @param memoryBytes of its process
 */
@InterfaceAudience.Private
public record Footprint(long localBytes, long memoryBytes) {
    public static Footprint of(TaskAttempt attempt) {
        return new Footprint(
                AttemptCounters.localBytes(attempt), AttemptCounters.memoryBytes(attempt));
    }

    /** f_clone of which nothing else is known, in bytes: files and memory, all that there is. */
    long cloneBytes() {
        return localBytes + memoryBytes;
    }
}
