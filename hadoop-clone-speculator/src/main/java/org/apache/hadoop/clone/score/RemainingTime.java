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
 * t*_a, the time that an attempt still needs, from what Hadoop's estimators say, which is its whole
 * runtime. Stock Hadoop takes an attempt that has outlived its estimate for a good one ({@code
 * PROGRESS_IS_GOOD}); here it needs what the rest takes at its own pace. And where that pace has
 * fallen, which the estimate sees only when about as much time has passed again, it needs what the
 * rest takes at the pace of late.
 */
@InterfaceAudience.Private
public final class RemainingTime {
    /** Lately slower than this part of its pace so far: more than neighbours that come and go. */
    private static final double FALLEN = 0.25;

    private RemainingTime() {}

    /** Whether an attempt was much faster before: then it is not only slow. */
    public static boolean hasFallen(double elapsed, double progress, RecentPace lately) {
        return lately.perMilli() < FALLEN * progress / elapsed;
    }

    /**
     * @param estimatedRuntime the estimator's, in milliseconds from the attempt's start; not
     *     positive if it has none
     * @param elapsed milliseconds since the start
     * @param progress from 0 to 1
     * @return milliseconds from now; infinite without progress, NaN when it is too early to tell
     */
    public static double of(
            double estimatedRuntime, double elapsed, double progress, RecentPace lately) {
        double left = estimatedRuntime - elapsed;
        double toDo = Math.max(0, 1 - progress);
        if (hasFallen(elapsed, progress, lately)) {
            return Math.max(left, toDo / lately.perMilli());
        }
        if (estimatedRuntime <= 0 && !lately.silent()) {
            return Double.NaN;
        }
        if (left > 0 && !lately.silent()) {
            return left;
        }
        return Math.max(left, progress > 0 ? elapsed * toDo / progress : Double.POSITIVE_INFINITY);
    }
}
