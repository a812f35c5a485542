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

/** What a median should be; missing it is said, and no failure. */
public record Goal(Kind kind, double limit) {
    enum Kind {
        AT_MOST("<="),
        AT_LEAST(">=");

        private final String sign;

        Kind(String sign) {
            this.sign = sign;
        }
    }

    public static Goal atMost(double limit) {
        return new Goal(Kind.AT_MOST, limit);
    }

    public static Goal atLeast(double limit) {
        return new Goal(Kind.AT_LEAST, limit);
    }

    boolean isMetBy(double value) {
        return kind == Kind.AT_MOST ? value <= limit : value >= limit;
    }

    String judge(double value, Unit unit) {
        return (isMetBy(value) ? "" : "MISSED ") + kind.sign + " " + unit.format(limit);
    }
}
