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
package org.clonehadoop.simulator.requests.figures;

import java.io.PrintStream;

/** How far simulations are, on one line. */
final class Progress {
    private final PrintStream to;
    private String figure = "";
    private int runs;

    Progress(PrintStream to) {
        this.to = to;
    }

    void begin(String id) {
        figure = id;
        runs = 0;
    }

    void ran() {
        to.print("\rsimulate: " + figure + ", " + ++runs + " runs ");
        to.flush();
    }

    void end() {
        if (runs > 0) {
            to.println();
        }
    }
}
