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

import java.util.Set;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.ClusterInfo;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptFinishingMonitor;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.security.client.ClientToAMTokenSecretManager;

/** What nobody who decides asks of an AppMaster: that isn't known here. */
abstract class UnaskedContext implements AppContext {
    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("a feed doesn't hold it");
    }

    @Override
    public final ApplicationId getApplicationID() {
        throw unasked();
    }

    @Override
    public final ApplicationAttemptId getApplicationAttemptId() {
        throw unasked();
    }

    @Override
    public final String getApplicationName() {
        throw unasked();
    }

    @Override
    public final long getStartTime() {
        throw unasked();
    }

    @Override
    public final CharSequence getUser() {
        throw unasked();
    }

    @Override
    public final ClusterInfo getClusterInfo() {
        throw unasked();
    }

    @Override
    public final Set<String> getBlacklistedNodes() {
        throw unasked();
    }

    @Override
    public final ClientToAMTokenSecretManager getClientToAMTokenSecretManager() {
        throw unasked();
    }

    @Override
    public final boolean isLastAMRetry() {
        throw unasked();
    }

    @Override
    public final boolean hasSuccessfullyUnregistered() {
        throw unasked();
    }

    @Override
    public final String getNMHostname() {
        throw unasked();
    }

    @Override
    public final TaskAttemptFinishingMonitor getTaskAttemptFinishingMonitor() {
        throw unasked();
    }

    @Override
    public final String getHistoryUrl() {
        throw unasked();
    }

    @Override
    public final void setHistoryUrl(String a) {
        throw unasked();
    }
}
