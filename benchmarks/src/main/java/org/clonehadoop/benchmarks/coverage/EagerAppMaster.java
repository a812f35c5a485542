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

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.appmaster.CloneAppMaster;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * {@link CloneAppMaster} that takes the attempts of {@link Crawl}, from when they crawl, for
 * stragglers of which a clone gains much, and no others: what decides about clones is tested
 * elsewhere. Named like that one, last in {@code yarn.app.mapreduce.am.command-opts}.
 */
public final class EagerAppMaster extends CloneAppMaster {
    private static final double USUAL = TimeUnit.MINUTES.toMillis(10);
    private static final double ENDLESS = TimeUnit.HOURS.toMillis(10);

    /** As its parent. */
    public EagerAppMaster(
            ContainerId container, String host, int port, int httpPort, long submitMillis) {
        super(container, host, port, httpPort, submitMillis);
    }

    @Override
    protected CloneSpeculator newSpeculator(Configuration conf, AppContext context, Cloner cloner) {
        Crawlers crawlers = Crawlers.of(conf);
        return new CloneSpeculator(conf, context, cloner) {
            @Override
            protected Optional<Estimate> estimate(TaskAttemptId attempt, long now) {
                double progress =
                        context.getJob(attempt.getTaskId().getJobId())
                                .getTask(attempt.getTaskId())
                                .getAttempt(attempt)
                                .getProgress();
                return eagerly(crawlers, attempt, progress);
            }
        };
    }

    /** Empty of attempts that don't crawl. */
    static Optional<Estimate> eagerly(Crawlers crawlers, TaskAttemptId attempt, double progress) {
        var id = TypeConverter.fromYarn(attempt);
        return crawlers.has(id) && progress >= Crawl.begin(id)
                ? Optional.of(new Estimate(ENDLESS, USUAL, (1 - progress) * USUAL))
                : Optional.empty();
    }

    /** As its parent's, with this class. */
    public static void main(String[] arguments) {
        run(EagerAppMaster::new, arguments);
    }
}
