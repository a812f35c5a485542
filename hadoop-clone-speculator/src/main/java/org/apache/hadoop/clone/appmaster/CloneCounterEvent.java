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

import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;

/** One of our counters has grown. */
final class CloneCounterEvent extends JobCounterUpdateEvent {
    final CloneCounter counter;
    final long increment;

    CloneCounterEvent(JobId job, CloneCounter counter, long increment) {
        super(job);
        this.counter = counter;
        this.increment = increment;
        addCounterUpdate(counter, increment);
    }
}
