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
package org.clonehadoop.simulator.trace;

/** Jobs by how many maps they have. */
enum SizeClass {
    SMALL(1, "under 10 maps"),
    TENS(10, "10 to 99"),
    HUNDREDS(100, "100 to 999"),
    THOUSANDS(1000, "1000 and more");

    final String title;
    private final int least;

    SizeClass(int least, String title) {
        this.least = least;
        this.title = title;
    }

    static SizeClass of(int maps) {
        SizeClass found = SMALL;
        for (SizeClass one : values()) {
            found = maps >= one.least ? one : found;
        }
        return found;
    }
}
