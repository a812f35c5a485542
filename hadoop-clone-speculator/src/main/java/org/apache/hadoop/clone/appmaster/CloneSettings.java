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

import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.HostClasses;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a job is configured to clone. What is configured wrongly counts as its preset: an AppMaster
 * that can't be made costs the job.
 *
 * @param limitMillis for a clone, from its original's freeze until it runs; at least 1
 * @param mostPatienceMillis for which its container may wait for that freeze; at least 1
 * @param maxFailures in a row, after which the job clones no more; at least 1
 */
record CloneSettings(
        String tool,
        long limitMillis,
        long mostPatienceMillis,
        long maxFailures,
        boolean reduces,
        HostClasses hostClasses) {
    private static final Logger LOG = LoggerFactory.getLogger(CloneSettings.class);

    /** What hangs is seen some seconds late, and the container is then to begin at zero. */
    private static final long SPARE_MILLIS = TimeUnit.SECONDS.toMillis(20);

    /** The tool counts milliseconds in 31 bits. */
    private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(7);

    static CloneSettings of(Configuration conf) {
        long limitMillis = positive(conf, CloneKeys.TIME_LIMIT, CloneSettings::timeLimit);
        return new CloneSettings(
                conf.getTrimmed(CloneKeys.TOOL, CloneKeys.TOOL_DEFAULT),
                limitMillis,
                mostPatience(conf, limitMillis),
                positive(conf, CloneKeys.MAX_FAILURES, CloneSettings::maxFailures),
                conf.getBoolean(CloneKeys.REDUCE, CloneKeys.REDUCE_DEFAULT),
                HostClasses.parse(
                        conf.get(CloneKeys.HOST_CLASSES, CloneKeys.HOST_CLASSES_DEFAULT)));
    }

    /**
     * Hadoop ends an attempt that is launched and doesn't report, as none does before it runs; not
     * if its limit is 0.
     */
    private static long mostPatience(Configuration conf, long limitMillis) {
        long silence =
                Math.min(
                        limit(
                                conf,
                                MRJobConfig.TASK_TIMEOUT,
                                MRJobConfig.DEFAULT_TASK_TIMEOUT_MILLIS),
                        limit(
                                conf,
                                MRJobConfig.TASK_STUCK_TIMEOUT_MS,
                                MRJobConfig.DEFAULT_TASK_STUCK_TIMEOUT_MS));
        return Math.max(limitMillis, silence - limitMillis - SPARE_MILLIS);
    }

    private static long limit(Configuration conf, String key, long preset) {
        long millis = conf.getLong(key, preset);
        return millis > 0 ? Math.min(millis, LONGEST_MILLIS) : LONGEST_MILLIS;
    }

    private static long timeLimit(Configuration conf) {
        return conf.getTimeDuration(
                CloneKeys.TIME_LIMIT, CloneKeys.TIME_LIMIT_DEFAULT, TimeUnit.MILLISECONDS);
    }

    private static long maxFailures(Configuration conf) {
        return conf.getInt(CloneKeys.MAX_FAILURES, CloneKeys.MAX_FAILURES_DEFAULT);
    }

    private static long positive(
            Configuration conf, String key, ToLongFunction<Configuration> value) {
        try {
            long configured = value.applyAsLong(conf);
            if (configured > 0) {
                return configured;
            }
            LOG.error(
                    "{} must be more than 0, not {}; until then its preset counts",
                    key,
                    configured);
        } catch (IllegalArgumentException wrong) {
            LOG.error("{} is no number; until then its preset counts", key, wrong);
        }
        return value.applyAsLong(new Configuration(false));
    }
}
