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
package org.clonehadoop.simulator.requests.store;

/** What happens after a fifth of all requests, and what is done about it. */
public enum Incident {
    NONE,
    /**
     * Utilisation rises to what was asked for, from {@link StoreSpec#BEFORE}; the program isn't
     * solved anew, groups are degraded.
     */
    SURGE,
    /** The same, but solved anew at once. */
    SURGE_SOLVED,
    /** The busiest node fails; its groups are degraded. */
    FAILURE_DEGRADED,
    /** The busiest node fails; Algorithm 2. */
    FAILURE_REPLANNED;

    boolean surge() {
        return this == SURGE || this == SURGE_SOLVED;
    }

    boolean failure() {
        return this == FAILURE_DEGRADED || this == FAILURE_REPLANNED;
    }
}
