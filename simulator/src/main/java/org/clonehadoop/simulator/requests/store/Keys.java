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
package org.clonehadoop.simulator.requests.store;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;
import org.clonehadoop.simulator.requests.engine.Random;

/**
 * Which servers have what a request asks for: 10⁸ keys, asked for by Zipf's law with 0.99, on a
 * ring of consistent hashing with one token a server at equal distances, and the two servers after
 * it.
 */
final class Keys {
    private static final int KEYS = 100_000_000;
    private static final double EXPONENT = 0.99;
    static final int REPLICAS = 3;

    private final SharedStateDiscreteSampler popularity;
    private final int[][] replicas;
    private final long seed;

    Keys(int servers, long seed, Random random) {
        UniformRandomProvider bits = random::bits;
        popularity = RejectionInversionZipfSampler.of(bits, KEYS, EXPONENT);
        this.seed = seed;
        replicas = new int[servers][REPLICAS];
        for (int first = 0; first < servers; first++) {
            for (int i = 0; i < REPLICAS; i++) {
                replicas[first][i] = (first + i) % servers;
            }
        }
    }

    /** The replicas of the next request's key. */
    int[] next() {
        long hash = (popularity.sample() + seed) * 0x9E3779B97F4A7C15L;
        hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
        return replicas[(int) ((hash >>> 33) % replicas.length)];
    }
}
