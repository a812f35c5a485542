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

import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptReport;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** What nobody who decides asks of an attempt: that isn't known here. */
abstract class UnaskedAttempt implements TaskAttempt {
    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("a feed doesn't hold it");
    }

    @Override
    public final TaskAttemptReport getReport() {
        throw unasked();
    }

    @Override
    public final List<String> getDiagnostics() {
        throw unasked();
    }

    @Override
    public final boolean isFinished() {
        throw unasked();
    }

    @Override
    public final ContainerId getAssignedContainerID() {
        throw unasked();
    }

    @Override
    public final String getAssignedContainerMgrAddress() {
        throw unasked();
    }

    @Override
    public final String getNodeHttpAddress() {
        throw unasked();
    }

    @Override
    public final long getShuffleFinishTime() {
        throw unasked();
    }

    @Override
    public final long getSortFinishTime() {
        throw unasked();
    }

    @Override
    public final int getShufflePort() {
        throw unasked();
    }
}
