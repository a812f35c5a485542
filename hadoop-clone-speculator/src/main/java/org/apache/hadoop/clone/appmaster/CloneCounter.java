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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/** What the AppMaster adds to its job's counters. */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public enum CloneCounter {
    /**
     * 1 if nothing of ours runs in the job, since Hadoop's inside isn't as it is known; the
     * AppMaster's log says what is missing.
     */
    CLONES_IMPOSSIBLE,
    /** Clones that were decided on. */
    CLONES_ORDERED,
    /** Clones that came to run as attempts. */
    CLONES_RUNNING,
    /** Clones that finished before their originals. */
    CLONES_WON,
    /** Clones that ran and died by themselves. */
    CLONES_DIED,
    /** Attempts that began at zero in a container that was meant for a clone. */
    CLONES_FELL_BACK,
    /** Clones that came to nothing. */
    CLONES_GIVEN_UP,
    /** Clones that left their originals, whether they came to run or not. */
    CLONES_SENT,
    /** For how long the originals of those were frozen, all together. */
    FROZEN_MILLIS,
    /** For how long those originals did nothing because of their clones, their freezes included. */
    GATE_CLOSED_MILLIS,
    /** Containers on hosts where an attempt had better not run, which were given back. */
    CONTAINERS_GIVEN_BACK,
    /** From the decision until the clone ran, all clones together. */
    ORDER_TO_RUNNING_MILLIS,
    /** From the launch of the clone's container until the clone ran, all together. */
    LAUNCH_TO_RUNNING_MILLIS,
    /** Files and memory of the clones that came to run, all together. */
    TRAVEL_BYTES,
    /** Of {@link #LAUNCH_TO_RUNNING_MILLIS}, how long those travelled. */
    TRAVEL_MILLIS,
    /** Reduces that waited for maps and gave their containers to maps' second attempts. */
    REDUCES_YIELDED,
    /**
     * How much longer originals would have taken than their clones that won, or other attempts from
     * zero if those were to be sooner, all together; by the last estimate before each freeze.
     */
    WON_MILLIS,
    /** For how long tasks had containers for second attempts, clones or not, all together. */
    EXTRA_CONTAINER_MILLIS,
    /** How often the switch file took clones away from this job, at its beginning included. */
    SWITCHED_OFF,
    /** How often it gave them back. */
    SWITCHED_ON
}
