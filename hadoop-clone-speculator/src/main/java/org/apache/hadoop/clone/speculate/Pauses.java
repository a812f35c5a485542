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
 *
 * <p>On a machine that stands still again and again it would hear for ever. So hearing lasts as
 * long as two reports at most, without the pauses, if there is a look in time then; and twice as
 * long where none is.
 */
final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    /** A look that is late by as much has waited for more than a busy host: several looks. */
    private static final long LATE_MILLIS = 3_000;

    /**
     * And by this part of a report's interval. Where reports are rare the next ones come late by
     * little of their time: an attempt that did as others looks a third slower at most.
     */
    private static final double LATE_SHARE = 0.5;

    private static final int MOST_REPORTS = 2;

    private final long reportInterval;
    private final double notableMillis;
    private long last = Long.MIN_VALUE;

    /** How long it still hears, and has heard since the last look, without pauses. */
    private long left;

    private long heard;

    /**
     * @param reportInterval between two reports of a task, in milliseconds; 0: there are none to be
     *     heard
     */
    Pauses(long reportInterval) {
        this.reportInterval = reportInterval;
        notableMillis = Math.max(LATE_MILLIS, LATE_SHARE * reportInterval);
    }

    /**
     * Whether the look that is to begin now is better left out.
     *
     * @param due when it was to begin, in milliseconds
     * @param now of a clock that never goes back
     */
    boolean isToHear(long due, long now) {
        boolean late = now - due > notableMillis;
        if (left > 0) {
            long awake = Math.max(0, Math.min(due, now) - last);
            left -= awake;
            heard += awake;
        }
        last = now;
        if (late) {
            LOG.info(
                    "Stood still for {} ms: what tasks tell is heard before any is judged",
                    now - due);
            left = reportInterval;
        }
        if (left > 0 && heard < (late ? 2 : 1) * MOST_REPORTS * reportInterval) {
            return true;
        }
        left = 0;
        heard = 0;
        return false;
    }
}
