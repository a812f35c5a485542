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
package org.clonehadoop.benchmarks.transfers;

import org.apache.hadoop.clone.stage.Priority;

/** What a connection is for, as its first byte says. */
enum Kind {
    PRIMARY(0, Priority.PRIMARY),
    /** Behind all others wherever they meet: in the server, and in queues of packets. */
    DUPLICATE(8, Priority.DUPLICATE),
    /** Ids of copies that aren't needed any more; on a connection of its own, so at once. */
    PURGE(0, null),
    /** Long flows that know nothing of stages. */
    BACKGROUND(0, null),
    /** The same, behind all others. */
    LOW_BACKGROUND(8, null);

    private final int trafficClass;
    private final Priority priority;

    Kind(int trafficClass, Priority priority) {
        this.trafficClass = trafficClass;
        this.priority = priority;
    }

    /** The type of service of what the server sends on it. */
    int trafficClass() {
        return trafficClass;
    }

    /** Null if the stage has nothing to do with it. */
    Priority priority() {
        return priority;
    }
}
