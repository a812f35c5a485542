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
package org.clonehadoop.simulator.requests.engine;

import java.util.SplittableRandom;

/** Draws of one kind, by name: runs that differ in what they decide have arrivals in common. */
public final class Random {
    private final SplittableRandom random;

    public Random(long seed, String name) {
        random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ (long) name.hashCode() << 20);
    }

    /** Exponentially distributed, in the unit of its mean. */
    public double exponential(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /**
     * @return 0 to below bound
     */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** True with a probability from 0 to 1. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public long bits() {
        return random.nextLong();
    }
}
