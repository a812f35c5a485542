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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.yarn.util.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AppMaster's clock, which is its host's, for those that measure how long something takes: if
 * it is set back this one goes on from where it was. Without that all that began before would lie
 * in the future until it is as late again. That it is set forwards shows as a {@linkplain Pauses
 * pause}. Thread-safe.
 */
@InterfaceAudience.Private
public final class SteadyClock implements Clock {
    private static final Logger LOG = LoggerFactory.getLogger(SteadyClock.class);

    private final Clock clock;
    private long last = Long.MIN_VALUE;

    /** By how much the other one was set back, all in all. */
    private long ahead;

    public SteadyClock(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized long getTime() {
        long read = clock.getTime();
        if (read < last) {
            LOG.info("The clock was set back by {} ms: times go on without that", last - read);
            ahead += last - read;
        }
        last = read;
        return read + ahead;
    }

    /**
     * The same for a time that somebody else has read.
     *
     * @return at most now, for it may be from before the clock was set back
     */
    synchronized long of(long read) {
        long now = getTime();
        return ahead == 0 ? read : Math.min(now, read + ahead);
    }
}
