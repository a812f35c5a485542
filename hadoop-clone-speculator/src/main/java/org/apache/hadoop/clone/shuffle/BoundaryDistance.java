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
package org.apache.hadoop.clone.shuffle;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How far a mapper is from a boundary: a point at which nothing is being written, and all that it
 * has put out and not published is in the smaller of its two buffers.
 *
 * @param bytes of records that it puts out until then; 0 if it waits for what is being written
 * @param writeNanos how long it then takes until the larger buffer is written, by experience;
 *     {@link #UNKNOWN} without any; 0 at the boundary
 */
@InterfaceAudience.Private
public record BoundaryDistance(long bytes, long writeNanos) {
    /** Longer than anybody waits. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    static final BoundaryDistance NONE = new BoundaryDistance(0, 0);

    /** Whether it is there. */
    public boolean isNone() {
        return equals(NONE);
    }
}
