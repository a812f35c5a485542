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

import java.util.Arrays;

/** Requests on their way, by number; numbers of those that are over are given again. */
final class Requests {
    int[] client = new int[1024];
    int[] server = new int[1024];
    int[] node = new int[1024];
    int[][] replicas = new int[1024][];

    /** When the client sent it. */
    long[] begun = new long[1024];

    /** When its replica was selected. */
    long[] selected = new long[1024];

    /** What the server told: its queue. */
    int[] queue = new int[1024];

    long[] service = new long[1024];

    /** The request that this one repeats; itself if it is the first. */
    int[] first = new int[1024];

    /** Copies that are out, of a first one. */
    int[] out = new int[1024];

    boolean[] answered = new boolean[1024];
    private int[] free = new int[1024];
    private int freed;
    private int used;

    /** Another number. */
    int take() {
        if (freed > 0) {
            return free[--freed];
        }
        if (used == client.length) {
            grow();
        }
        return used++;
    }

    void give(int request) {
        free[freed++] = request;
    }

    private void grow() {
        int size = 2 * used;
        client = Arrays.copyOf(client, size);
        server = Arrays.copyOf(server, size);
        node = Arrays.copyOf(node, size);
        replicas = Arrays.copyOf(replicas, size);
        begun = Arrays.copyOf(begun, size);
        selected = Arrays.copyOf(selected, size);
        queue = Arrays.copyOf(queue, size);
        service = Arrays.copyOf(service, size);
        first = Arrays.copyOf(first, size);
        out = Arrays.copyOf(out, size);
        answered = Arrays.copyOf(answered, size);
        free = Arrays.copyOf(free, size);
    }
}
