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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How often the file system is asked, and for how long what it said holds; all in milliseconds.
 *
 * @param lookMillis from one look at the switch file to the next
 * @param staleMillis after which a look that was the last to succeed counts no more
 * @param slotMillis for which an order waits for its slots
 * @param retryMillis from an order that got no slot to the next that asks for one
 * @param renewMillis from one sign of life of a slot's holder to the next
 * @param deadMillis without one after which its slot is another's. Clocks of a cluster's hosts must
 *     not differ by more than this less {@code renewMillis}
 */
@InterfaceAudience.Private
public record LimitTimes(
        long lookMillis,
        long staleMillis,
        long slotMillis,
        long retryMillis,
        long renewMillis,
        long deadMillis) {

    /**
     * A switch is obeyed within 10 s: 3 s to the next look, at most 1 s for one that gets its
     * answer, and half a second until the AppMaster asks what it said; without an answer, as soon
     * as the last one is stale.
     */
    public static final LimitTimes PRESET =
            new LimitTimes(
                    TimeUnit.SECONDS.toMillis(3),
                    TimeUnit.SECONDS.toMillis(9),
                    TimeUnit.SECONDS.toMillis(1),
                    TimeUnit.SECONDS.toMillis(10),
                    TimeUnit.SECONDS.toMillis(30),
                    TimeUnit.MINUTES.toMillis(3));
}
