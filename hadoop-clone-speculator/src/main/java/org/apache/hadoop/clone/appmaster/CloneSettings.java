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
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a job is configured to clone. What is configured wrongly counts as its preset: an AppMaster
 * that can't be made costs the job.
 *
 * @param limitMillis for a clone, from its offer until it runs; at least 1
 * @param maxFailures in a row, after which the job clones no more; at least 1
 */
record CloneSettings(String tool, long limitMillis, long maxFailures, boolean reduces) {
    private static final Logger LOG = LoggerFactory.getLogger(CloneSettings.class);

    static CloneSettings of(Configuration conf) {
        return new CloneSettings(
                conf.getTrimmed(CloneKeys.TOOL, CloneKeys.TOOL_DEFAULT),
                positive(conf, CloneKeys.TIME_LIMIT, CloneSettings::timeLimit),
                positive(conf, CloneKeys.MAX_FAILURES, CloneSettings::maxFailures),
                conf.getBoolean(CloneKeys.REDUCE, CloneKeys.REDUCE_DEFAULT));
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
