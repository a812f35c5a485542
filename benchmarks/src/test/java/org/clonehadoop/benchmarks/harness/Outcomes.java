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
package org.clonehadoop.benchmarks.harness;

/** Outcomes of an open loop, for tests. */
public final class Outcomes {
    private Outcomes() {}

    /** Of one request, which took so long. */
    public static Outcome ended(int millis) {
        Outcome outcome = new Outcome(1);
        outcome.ended(millis * 1_000_000L);
        return outcome;
    }

    /** Of more and more that wait. */
    public static Outcome growing() {
        Outcome outcome = new Outcome(100);
        for (int i = 0; i < 100; i++) {
            outcome.came(i, i);
        }
        return outcome;
    }
}
