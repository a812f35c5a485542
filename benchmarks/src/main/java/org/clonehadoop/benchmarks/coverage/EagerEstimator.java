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
package org.clonehadoop.benchmarks.coverage;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;

/**
 * Takes the attempts of {@link Crawl}, from when they crawl, for stragglers of which a clone gains
 * much, and no others: what decides about clones is tested elsewhere. In the AppMaster.
 */
public final class EagerEstimator implements TaskRuntimeEstimator {
    private static final long USUAL = TimeUnit.MINUTES.toMillis(10);
    private static final long ENDLESS = TimeUnit.HOURS.toMillis(10);
    private static final long NONE = -1;

    private final Map<TaskAttemptId, Long> starts = new ConcurrentHashMap<>();
    private final Map<TaskAttemptId, Float> progress = new ConcurrentHashMap<>();
    private Crawlers crawlers = new Crawlers(Set.of());

    @Override
    public void contextualize(Configuration conf, AppContext context) {
        crawlers = Crawlers.of(conf);
    }

    @Override
    public void enrollAttempt(TaskAttemptStatus status, long timestamp) {
        starts.put(status.id, timestamp);
    }

    @Override
    public long attemptEnrolledTime(TaskAttemptId attempt) {
        return starts.getOrDefault(attempt, Long.MAX_VALUE);
    }

    @Override
    public void updateAttempt(TaskAttemptStatus status, long timestamp) {
        progress.put(status.id, status.progress);
    }

    @Override
    public boolean hasStagnatedProgress(TaskAttemptId attempt, long timestamp) {
        return false;
    }

    @Override
    public long thresholdRuntime(TaskId task) {
        return USUAL;
    }

    @Override
    public long estimatedRuntime(TaskAttemptId attempt) {
        return isCrawling(attempt) ? ENDLESS : NONE;
    }

    private boolean isCrawling(TaskAttemptId attempt) {
        var id = TypeConverter.fromYarn(attempt);
        return crawlers.has(id) && progress.getOrDefault(attempt, 0F) >= Crawl.begin(id);
    }

    @Override
    public long estimatedNewAttemptRuntime(TaskId task) {
        return USUAL;
    }

    @Override
    public long runtimeEstimateVariance(TaskAttemptId attempt) {
        return NONE;
    }
}
