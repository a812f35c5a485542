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
package org.clonehadoop.simulator.validate;

import java.util.Locale;

/**
 * Something that is to be within a bound.
 *
 * @param value NaN if the real runs don't tell
 */
record Bound(String key, String title, double value, double bound, boolean atLeast) {
    static Bound atMost(String key, String title, double value, double bound) {
        return new Bound(key, title, value, bound, false);
    }

    static Bound atLeast(String key, String title, double value, double bound) {
        return new Bound(key, title, value, bound, true);
    }

    boolean isKnown() {
        return !Double.isNaN(value);
    }

    boolean isWithin() {
        return atLeast ? value >= bound : value <= bound;
    }

    /** For people. */
    String verdict() {
        if (!isKnown()) {
            return "not told by these runs: not validated";
        }
        return isWithin() ? "within" : "not validated";
    }

    String limit() {
        return String.format(Locale.ROOT, "%s %.2f", atLeast ? "at least" : "at most", bound);
    }
}
