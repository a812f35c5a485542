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
package org.clonehadoop.simulator.requests.engine;

import java.util.Arrays;

/** Numbers that wait, first come, first served. */
public final class Waiting {
    private int[] ring = new int[16];
    private int first;
    private int size;

    public void add(int one) {
        if (size == ring.length) {
            int[] larger = Arrays.copyOf(ring, 2 * size);
            for (int i = 0; i < size; i++) {
                larger[i] = ring[(first + i) % size];
            }
            ring = larger;
            first = 0;
        }
        ring[(first + size++) % ring.length] = one;
    }

    /** The one that has waited for longest; there must be one. */
    public int take() {
        int one = ring[first];
        first = (first + 1) % ring.length;
        size--;
        return one;
    }

    public int size() {
        return size;
    }
}
