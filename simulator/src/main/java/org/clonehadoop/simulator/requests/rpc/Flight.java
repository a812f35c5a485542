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
package org.clonehadoop.simulator.requests.rpc;

import java.util.Arrays;

/** Requests that are out, with their one or two copies: copy c of request r is number 2r + c. */
final class Flight {
    long[] sent = new long[1024];
    boolean[] isLong = new boolean[1024];
    boolean[] answered = new boolean[1024];
    boolean[] filtered = new boolean[1024];
    int[] out = new int[1024];
    int[] point = new int[1024];
    int[] server = new int[2048];
    private int[] free = new int[1024];
    private int freed;
    private int used;

    int take() {
        if (freed > 0) {
            return free[--freed];
        }
        if (used == sent.length) {
            grow();
        }
        return used++;
    }

    void give(int request) {
        free[freed++] = request;
    }

    private void grow() {
        int size = 2 * used;
        sent = Arrays.copyOf(sent, size);
        isLong = Arrays.copyOf(isLong, size);
        answered = Arrays.copyOf(answered, size);
        filtered = Arrays.copyOf(filtered, size);
        out = Arrays.copyOf(out, size);
        point = Arrays.copyOf(point, size);
        server = Arrays.copyOf(server, 2 * size);
        free = Arrays.copyOf(free, size);
    }
}
