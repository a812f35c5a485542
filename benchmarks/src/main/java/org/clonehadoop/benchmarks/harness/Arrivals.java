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

import java.util.Arrays;
import java.util.Random;

/** When requests come, whatever has become of those before: Poisson's process. */
public final class Arrivals {
    private Arrivals() {}

    /**
     * @param perSecond on average
     * @param seconds from 0 to there
     * @return nanoseconds after the beginning, in order
     */
    public static long[] poisson(double perSecond, double seconds, long seed) {
        Random random = new Random(seed);
        long[] times = new long[(int) (2 * perSecond * seconds) + 100];
        int count = 0;
        double at = gap(random, perSecond);
        while (at < seconds && count < times.length) {
            times[count++] = (long) (at * 1e9);
            at += gap(random, perSecond);
        }
        return Arrays.copyOf(times, count);
    }

    private static double gap(Random random, double perSecond) {
        return -Math.log(1 - random.nextDouble()) / perSecond;
    }
}
