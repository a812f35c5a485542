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
package org.clonehadoop.simulator.engine;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Random numbers by name: the same for the same seed and name, whoever else draws. So two runs that
 * differ in one decision have all their other luck in common.
 */
public record Draws(long seed) {
    /** From 0 to 1. */
    public double uniform(String name) {
        return random(name).nextDouble();
    }

    /**
     * @return from 0 to below bound
     */
    public long below(long bound, String name) {
        return random(name).nextLong(bound);
    }

    /** From the standard normal distribution. */
    public double gaussian(String name) {
        return random(name).nextGaussian();
    }

    /** Others, for somebody of that name who draws by the same names. */
    public Draws of(String name) {
        return new Draws(random(name).nextLong());
    }

    private SplittableRandom random(String name) {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.US_ASCII));
        return new SplittableRandom(seed ^ hash.getValue() << 32);
    }
}
