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
package org.apache.hadoop.clone.limits;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job's second attempts may cost.
 *
 * @param seconds in containers, all together; less than 0 is without limit
 */
@InterfaceAudience.Private
public record ContainerBudget(long seconds) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerBudget.class);

    /** As it is configured; nothing at all if that is no number. */
    public static ContainerBudget of(Configuration conf) {
        try {
            return new ContainerBudget(
                    conf.getLong(
                            CloneKeys.MAX_EXTRA_CONTAINER_SECONDS,
                            CloneKeys.MAX_EXTRA_CONTAINER_SECONDS_DEFAULT));
        } catch (NumberFormatException wrong) {
            LOG.error(
                    "{} must be a number; until then it counts as 0",
                    CloneKeys.MAX_EXTRA_CONTAINER_SECONDS);
            return new ContainerBudget(0);
        }
    }

    /** Why no further second attempt may begin, after so many milliseconds; empty if one may. */
    public Optional<String> spent(long millis) {
        return seconds >= 0 && millis >= TimeUnit.SECONDS.toMillis(seconds)
                ? Optional.of(
                        "second attempts have had containers for "
                                + TimeUnit.MILLISECONDS.toSeconds(millis)
                                + " s, of "
                                + seconds
                                + " s that this job may have")
                : Optional.empty();
    }
}
