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
package org.apache.hadoop.clone.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.clone.stage.SimulatedHosts.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the paper's section 2.2 promises of DAS, with this module's own stages on simulated hosts:
 * whatever the sizes and the load, no job is later than without duplicates.
 */
class PrimariesFirstTest {
    private static final int HOSTS = 8;
    private static final double MEAN_NANOS = 50e6;
    private static final Duration TENTH = Duration.ofMillis(5);

    /** Poisson arrivals; sizes are log-normal, and one copy of ten meets a straggler. */
    private static List<Request> requests(int count, double load, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<Request> requests = new ArrayList<>();
        double at = 0;
        for (int n = 0; n < count; n++) {
            at += -Math.log(1 - random.nextDouble()) * MEAN_NANOS / (HOSTS * load);
            int primary = random.nextInt(HOSTS);
            int duplicate = (primary + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
            double size = MEAN_NANOS * Math.exp(0.5 * random.nextGaussian() - 0.125);
            requests.add(
                    new Request(
                            Math.round(at),
                            new int[] {primary, duplicate},
                            new long[] {noisy(size, random), noisy(size, random)}));
        }
        return requests;
    }

    private static long noisy(double size, RandomGenerator random) {
        double factor = random.nextInt(10) == 0 ? 1.6 + 3.4 * random.nextDouble() : 1;
        return Math.max(1, Math.round(size * factor));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.15, 0.45, 0.6, 0.75})
    void noJobIsLaterThanWithoutDuplicates(double load) {
        for (long seed = 0; seed < 5; seed++) {
            List<Request> requests = requests(1000, load, seed);
            long[] single = SimulatedHosts.serve(requests, HOSTS, Policy.single());

            for (Duration delay : List.of(Duration.ZERO, TENTH)) {
                long[] das = SimulatedHosts.serve(requests, HOSTS, Policy.das(delay));
                for (int n = 0; n < single.length; n++) {
                    assertThat(das[n]).as("request %d, seed %d", n, seed).isPositive();
                    assertThat(das[n])
                            .as("request %d, seed %d", n, seed)
                            .isLessThanOrEqualTo(single[n]);
                }
            }
        }
    }

    @Test
    void theTailIsShorterAtEveryLoad() {
        for (double load : new double[] {0.15, 0.45, 0.7}) {
            List<Request> requests = requests(4000, load, 1);
            long[] single = SimulatedHosts.serve(requests, HOSTS, Policy.single());
            long[] das = SimulatedHosts.serve(requests, HOSTS, Policy.das(TENTH));

            assertThat(SimulatedHosts.percentile(das, 99))
                    .as("at a load of %s", load)
                    .isLessThan(0.8 * SimulatedHosts.percentile(single, 99));
        }
    }

    @Test
    void duplicatesOfEqualPriorityMakeAHighLoadUnstable() {
        List<Request> requests = requests(4000, 0.7, 1);
        long[] single = SimulatedHosts.serve(requests, HOSTS, Policy.single());
        long[] cloning = SimulatedHosts.serve(requests, HOSTS, Policy.cloning());

        assertThat(SimulatedHosts.percentile(cloning, 50))
                .isGreaterThan(3 * SimulatedHosts.percentile(single, 50));
    }

    @Test
    void aDelayOfATenthCostsNoTail() {
        List<Request> requests = requests(4000, 0.45, 2);
        long[] atOnce = SimulatedHosts.serve(requests, HOSTS, Policy.das(Duration.ZERO));
        long[] later = SimulatedHosts.serve(requests, HOSTS, Policy.das(TENTH));

        assertThat(SimulatedHosts.percentile(later, 99))
                .isLessThan(1.1 * SimulatedHosts.percentile(atOnce, 99));
    }

    /** Of jobs that take less than it: those that wait are duplicated still. */
    @Test
    void aDelayOfATenthSparesMostDuplicatesOfShortJobs() {
        List<Request> requests = new ArrayList<>();
        for (Request request : requests(4000, 0.45, 2)) {
            boolean isShort = requests.size() % 2 == 0;
            long[] nanos = isShort ? new long[] {1_000_000, 1_000_000} : request.nanos();
            requests.add(new Request(request.arrivalNanos(), request.hosts(), nanos));
        }

        int atOnce = ofShort(SimulatedHosts.duplicated(requests, HOSTS, Policy.das(Duration.ZERO)));
        int later = ofShort(SimulatedHosts.duplicated(requests, HOSTS, Policy.das(TENTH)));

        assertThat(later).isLessThan(atOnce / 2);
    }

    private static int ofShort(boolean[] duplicated) {
        int count = 0;
        for (int n = 0; n < duplicated.length; n += 2) {
            count += duplicated[n] ? 1 : 0;
        }
        return count;
    }
}
