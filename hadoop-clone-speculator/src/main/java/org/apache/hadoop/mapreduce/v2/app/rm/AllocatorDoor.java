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
package org.apache.hadoop.mapreduce.v2.app.rm;

import org.apache.hadoop.classification.InterfaceAudience;

/** What {@link RMContainerAllocator} does by itself once in an interval. */
@InterfaceAudience.Private
public final class AllocatorDoor {
    private AllocatorDoor() {}

    /**
     * Sends the ResourceManager what is asked for, and takes what it has granted; to be called by
     * any thread, of which it does one at a time.
     */
    public static void heartbeat(RMContainerAllocator allocator) throws Exception {
        allocator.heartbeat();
    }
}
