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
package org.clonehadoop.simulator.requests.rpc;

import org.clonehadoop.simulator.requests.engine.Random;

/**
 * How long requests take a worker. Each is short or long; what it takes is drawn anew for its
 * clone, as is the jitter: with its probability, 15 times as long.
 *
 * @param title as the paper writes it
 * @param shortMicros mean of the short
 * @param longMicros mean of the long
 * @param longShare of all requests
 * @param exponential whether a time is exponential, else its mean exactly
 */
public record Service(
        String title,
        double shortMicros,
        double longMicros,
        double longShare,
        boolean exponential) {
    private static final double JITTER = 15;

    /** Exp(mean). */
    public static Service exp(double mean) {
        return new Service("Exp(%.0f)".formatted(mean), mean, mean, 0, true);
    }

    /** Nine of ten short. */
    public static Service bimodal(double shortMicros, double longMicros) {
        return new Service(
                "Bimodal(90%%-%.0f, 10%%-%.0f)".formatted(shortMicros, longMicros),
                shortMicros,
                longMicros,
                0.1,
                false);
    }

    /** Mean with jitter, in nanoseconds. */
    double mean(double jitter) {
        return 1e3
                * (shortMicros * (1 - longShare) + longMicros * longShare)
                * (1 + jitter * (JITTER - 1));
    }

    /** In nanoseconds. */
    long draw(boolean isLong, double jitter, Random random) {
        double mean = 1e3 * (isLong ? longMicros : shortMicros);
        double time = exponential ? random.exponential(mean) : mean;
        return (long) (random.chance(jitter) ? time * JITTER : time);
    }
}
