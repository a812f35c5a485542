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
package org.apache.hadoop.clone.score;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a clone costs on this cluster: the paper's β, t̄_vm and B̄.
 *
 * @param beta the operator's safety factor, at least 1: how much dearer a clone may turn out
 * @param vmMillis t̄_vm, what a clone takes however large it is, in milliseconds, from the launch
 *     of its container until the clone runs; at least 0. The wait for a container is left out: a
 *     new attempt has the same
 * @param bytesPerMilli B̄, the rate at which files and memory travel, in bytes per millisecond;
 *     more than 0
 */
@InterfaceAudience.Private
public record CloneCosts(double beta, double vmMillis, double bytesPerMilli) {

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public CloneCosts {
        require(beta >= 1, "beta must be at least 1, not ", beta);
        require(
                vmMillis >= 0 && Double.isFinite(vmMillis),
                "the time to clone a JVM must not be negative, nor infinite, as is ",
                vmMillis);
        require(
                bytesPerMilli > 0 && Double.isFinite(bytesPerMilli),
                "the bandwidth must be more than 0, and finite, not ",
                bytesPerMilli);
    }

    /**
     * {@code t_clone = β·(t̄_vm + f_clone / B̄)}, in milliseconds.
     *
     * @param cloneBytes f_clone, the bytes that travel: the paper's file clone set, and the image
     *     of the process's memory, which it counts as part of t̄_vm
     */
    public double cloneMillis(long cloneBytes) {
        if (cloneBytes < 0) {
            throw new IllegalArgumentException("a clone can't hold " + cloneBytes + " bytes");
        }
        return beta * (vmMillis + cloneBytes / bytesPerMilli);
    }

    /** What a clone still costs so many milliseconds after the launch of its container. */
    public CloneCosts after(double millis) {
        return new CloneCosts(beta, Math.max(0, vmMillis - millis), bytesPerMilli);
    }

    // NaN fails every comparison, so it is refused as well. A look makes thousands of these, and
    // texts of numbers would take longer than all else of it.
    private static void require(boolean holds, String otherwise, double value) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise + value);
        }
    }
}
