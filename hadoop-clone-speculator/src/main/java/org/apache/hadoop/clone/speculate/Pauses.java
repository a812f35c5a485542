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
package org.apache.hadoop.clone.speculate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An AppMaster that has stood still, in a full collection, on a swapped host or in a virtual
 * machine that was suspended, hasn't heard its tasks meanwhile: their reports are in a queue, or
 * are sent again. A look just then would take all of them for stragglers. So it hears first, for as
 * long as the next report of each takes. A clock that is set forwards looks the same.
 */
final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    /** A look that is late by as much has waited for more than a busy host: several looks. */
    private static final long NOTABLE_MILLIS = 3_000;

    private final long reportInterval;
    private long hearsUntil = Long.MIN_VALUE;

    /**
     * @param reportInterval between two reports of a task, in milliseconds; 0: there are none to be
     *     heard
     */
    Pauses(long reportInterval) {
        this.reportInterval = reportInterval;
    }

    /**
     * Whether the look that is to begin now is better left out.
     *
     * @param due when it was to begin, in milliseconds
     */
    boolean isToHear(long due, long now) {
        if (now - due > NOTABLE_MILLIS) {
            LOG.info(
                    "Stood still for {} ms: what tasks tell is heard before any is judged",
                    now - due);
            hearsUntil = now + reportInterval;
        }
        return now < hearsUntil;
    }
}
