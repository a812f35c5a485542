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
package org.clonehadoop.selection.placement;

import java.time.Duration;

/** When the best plan found so far has to do. */
final class Deadline {
    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /**
     * What is left.
     *
     * @throws PassedException if that is nothing
     */
    double seconds() throws PassedException {
        double left = (end - System.nanoTime()) / 1e9;
        if (left <= 0) {
            throw new PassedException();
        }
        return left;
    }

    /**
     * @throws PassedException if nothing is left
     */
    void check() throws PassedException {
        seconds();
    }

    /** It has passed. */
    static final class PassedException extends Exception {
        private static final long serialVersionUID = 1;
    }
}
