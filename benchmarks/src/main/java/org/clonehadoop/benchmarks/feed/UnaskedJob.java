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
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobACL;
import org.apache.hadoop.mapreduce.v2.api.records.AMInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobReport;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEvent;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.Priority;

/** What nobody who decides asks of a job: that isn't known here. */
abstract class UnaskedJob implements Job {
    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("a feed doesn't hold it");
    }

    @Override
    public final String getName() {
        throw unasked();
    }

    @Override
    public final JobReport getReport() {
        throw unasked();
    }

    @Override
    public final Counters getAllCounters() {
        throw unasked();
    }

    @Override
    public final List<String> getDiagnostics() {
        throw unasked();
    }

    @Override
    public final float getProgress() {
        throw unasked();
    }

    @Override
    public final boolean isUber() {
        throw unasked();
    }

    @Override
    public final String getUserName() {
        throw unasked();
    }

    @Override
    public final String getQueueName() {
        throw unasked();
    }

    @Override
    public final Path getConfFile() {
        throw unasked();
    }

    @Override
    public final Configuration loadConfFile() {
        throw unasked();
    }

    @Override
    public final Map<JobACL, AccessControlList> getJobACLs() {
        throw unasked();
    }

    @Override
    public final TaskAttemptCompletionEvent[] getTaskAttemptCompletionEvents(int a, int b) {
        throw unasked();
    }

    @Override
    public final TaskCompletionEvent[] getMapAttemptCompletionEvents(int a, int b) {
        throw unasked();
    }

    @Override
    public final List<AMInfo> getAMInfos() {
        throw unasked();
    }

    @Override
    public final boolean checkAccess(UserGroupInformation a, JobACL b) {
        throw unasked();
    }

    @Override
    public final void setQueueName(String a) {
        throw unasked();
    }

    @Override
    public final void setJobPriority(Priority a) {
        throw unasked();
    }
}
