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
package org.apache.hadoop.clone.stage;

/**
 * One of a job's copies: what stages queue and servers serve.
 *
 * @param number 0 for the primary
 * @param dispatchedNanos when the job was dispatched (the paper's {@code start-time}), on the
 *     stage's clock
 */
public record Copy<W>(Job<W> job, int number, Priority priority, long dispatchedNanos) {

    public JobId id() {
        return job.id();
    }

    /** What this copy has to do. */
    public W work() {
        return job.places().get(number);
    }

    boolean isDuplicate() {
        return priority == Priority.DUPLICATE;
    }
}
