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
package org.clonehadoop.benchmarks.transfers;

import java.util.Random;
import org.clonehadoop.benchmarks.harness.Arrivals;

/**
 * A request of an open loop.
 *
 * @param nanos when it comes
 * @param first a server
 * @param second another one, if there is one
 */
public record Transfer(long nanos, int bytes, int first, int second) {

    /**
     * By Poisson's process, from servers by chance.
     *
     * @param bytesPerSecond of all of them, on average
     */
    public static Transfer[] poisson(
            Sizes sizes, double bytesPerSecond, double seconds, int servers, long seed) {
        long[] times = Arrivals.poisson(bytesPerSecond / sizes.mean(), seconds, seed);
        Random random = new Random(seed + 1);
        Transfer[] transfers = new Transfer[times.length];
        for (int i = 0; i < times.length; i++) {
            int first = random.nextInt(servers);
            int next = servers == 1 ? 0 : 1 + random.nextInt(servers - 1);
            transfers[i] =
                    new Transfer(times[i], sizes.next(random), first, (first + next) % servers);
        }
        return transfers;
    }
}
