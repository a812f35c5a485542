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
package org.clonehadoop.simulator.mapreduce;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Containers' time that brought nothing, by what became of the attempts: all that had a container
 * and didn't win, less what they had done before the launch of a clone that won.
 *
 * @param originals they ran beside second attempts that won
 * @param seconds second attempts that lost to their originals
 * @param replaced second attempts that were ended in favour of another
 * @param rest all others: lost with their hosts, timed out, or reduces that gave way
 */
public record ThrownAway(Share originals, Share seconds, Share replaced, Share rest) {
    /**
     * @param attempts how many they were
     */
    public record Share(double seconds, int attempts) {
        private static Share of(Collection<SimAttempt> attempts) {
            return new Share(
                    attempts.stream().mapToLong(SimAttempt::thrownAwayMillis).sum() / 1e3,
                    attempts.size());
        }
    }

    /** By those of a job that has ended. */
    static ThrownAway by(Collection<SimAttempt> attempts) {
        return new ThrownAway(
                share(attempts, SimAttempt::hasLostToItsSecond),
                share(attempts, SimAttempt::hasLostToItsOriginal),
                share(attempts, attempt -> attempt.replaced),
                share(attempts, attempt -> attempt.winner == null && !attempt.replaced));
    }

    private static Share share(Collection<SimAttempt> attempts, Predicate<SimAttempt> which) {
        List<SimAttempt> those =
                attempts.stream()
                        .filter(attempt -> attempt.host != null && !attempt.hasWon())
                        .filter(which)
                        .toList();
        return Share.of(those);
    }

    /** Seconds. */
    public double total() {
        return originals.seconds() + seconds.seconds() + replaced.seconds() + rest.seconds();
    }
}
