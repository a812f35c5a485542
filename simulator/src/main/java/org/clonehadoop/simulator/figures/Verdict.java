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
 * @param numbers that say so
 */
record Verdict(boolean holds, String numbers) {

    /**
     * @param numbers a format for the values
     */
    static Verdict of(boolean holds, String numbers, Object... values) {
        return new Verdict(holds, String.format(Locale.ROOT, numbers, values));
    }

    String word() {
        return holds ? "holds" : "doesn't";
    }

    String words() {
        return word() + ": " + numbers;
    }

    /**
     * @param cause of its not holding
     */
    String words(String cause) {
        return holds ? words() : word() + ", because " + cause + ": " + numbers;
    }
}
