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
package org.apache.hadoop.clone.estimate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How far what is usual for attempts of a kind has come from where it began: what has been found of
 * one of them holds for about as long as this stays where it is.
 *
 * @param shrunk logarithm: in all looks so far the part of the progress whose usual time shrank
 *     most shrank by so much; grows only
 * @param logSize of the mean input, 0 as long as that isn't known
 */
@InterfaceAudience.Private
public record Drift(double shrunk, double logSize) {
    /** Where hosts differ in what is usual elsewhere. */
    static final Drift UNKNOWN = new Drift(Double.NaN, Double.NaN);

    /**
     * By how much the usual time for any piece of an attempt's work has shrunk at most.
     *
     * @return at least 1; NaN if it isn't known
     */
    double factorSince(Drift before) {
        return Math.exp(shrunk - before.shrunk + Math.max(0, logSize - before.logSize));
    }
}
