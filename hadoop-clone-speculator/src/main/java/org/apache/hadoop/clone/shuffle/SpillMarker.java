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

import java.util.Optional;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** By what a task knows that its AppMaster has asked for per-spill outputs. */
final class SpillMarker {
    private SpillMarker() {}

    /**
     * The AppMaster's address; empty for a job of another. A task may run a job of its own in its
     * JVM or a child, by LocalJobRunner, which inherits the environment.
     */
    static Optional<String> of(JobID job) {
        return Optional.ofNullable(System.getenv(SpillProtocol.ADDRESS))
                .filter(address -> isOfContainer(job));
    }

    private static boolean isOfContainer(JobID job) {
        String container = System.getenv(Environment.CONTAINER_ID.name());
        return container == null
                || TypeConverter.fromYarn(
                                ContainerId.fromString(container)
                                        .getApplicationAttemptId()
                                        .getApplicationId())
                        .equals(job);
    }
}
