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
package org.clonehadoop.simulator.figures;

import java.util.Locale;

/**
 * Whether one of the paper's observations can be seen in the simulation.
 *
 * @param because the numbers that say so
 */
record Verdict(boolean holds, String because) {

    /**
     * @param because a format for the values
     */
    static Verdict of(boolean holds, String because, Object... values) {
        return new Verdict(holds, String.format(Locale.ROOT, because, values));
    }

    String words() {
        return holds ? "holds:" : "doesn't, because";
    }
}
