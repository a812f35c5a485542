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
package org.clonehadoop.benchmarks.feed;

import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskReport;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/** What nobody who decides asks of a task: that isn't known here. */
abstract class UnaskedTask implements Task {
    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("a feed doesn't hold it");
    }

    @Override
    public final TaskReport getReport() {
        throw unasked();
    }

    @Override
    public final Counters getCounters() {
        throw unasked();
    }

    @Override
    public final float getProgress() {
        throw unasked();
    }

    @Override
    public final boolean isFinished() {
        throw unasked();
    }

    @Override
    public final boolean canCommit(TaskAttemptId a) {
        throw unasked();
    }
}
