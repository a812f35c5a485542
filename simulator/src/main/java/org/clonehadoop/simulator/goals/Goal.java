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
package org.clonehadoop.simulator.goals;

import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.sweep.Rows;

/**
 * One thing that is to be reached with one cost book.
 *
 * @param name what is measured
 * @param most whether it is to be no more than the bound, and else no less
 * @param value what is reached, and how far seeds alone may move it
 * @param where in which job; empty if the name says it
 */
record Goal(String name, boolean most, double bound, Interval value, String where) {
    static Goal atMost(String name, double bound, Interval value) {
        return new Goal(name, true, bound, value, "");
    }

    static Goal atLeast(String name, double bound, Interval value) {
        return new Goal(name, false, bound, value, "");
    }

    /** By the mean; a share of nothing isn't reached. */
    boolean isReached() {
        return most ? value.value() <= bound : value.value() >= bound;
    }

    String boundText() {
        return Rows.text(most ? "≤ %.2f" : "≥ %.2f", bound);
    }

    String valueText() {
        return Rows.text("%.3f (%.3f–%.3f)", value.value(), value.low(), value.high())
                + (where.isEmpty() ? "" : ", " + where);
    }
}
