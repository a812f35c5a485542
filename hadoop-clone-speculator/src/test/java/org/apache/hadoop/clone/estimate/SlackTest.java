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
package org.apache.hadoop.clone.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.clone.estimate.KindEstimates.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it says without an estimate is what an estimate would say. */
class SlackTest {
    private static final long INTERVAL = 6_000;
    private static final long LOOK = 1_000;
    private static final double PRICE = 0.5;

    /** Some are slow, some become slow or stand still, and inputs differ. */
    private static final class Worker {
        private final Random random;
        private final String name;
        private final double size;
        private double pace;
        private double progress;
        private long nextReport;

        Worker(String name, boolean sized, Random random, long now) {
            this.name = name;
            this.random = random;
            size = sized ? Math.exp(random.nextGaussian() / 4) : 1;
            pace = Math.exp(random.nextGaussian() / 3) / (100_000 * size);
            nextReport = now + random.nextLong(INTERVAL);
        }

        void work(long millis) {
            if (random.nextInt(200) == 0) {
                pace *= random.nextBoolean() ? 0.1 : 0;
            }
            progress = Math.min(0.999, progress + pace * millis);
        }

        Report report(boolean sized) {
            return new Report(progress, "map", sized ? 1e9 * size * progress : 0, progress);
        }
    }

    private int asked;
    private int covered;
    private int straggling;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatItCoversIsOnSchedule(boolean sized) {
        for (int seed = 0; seed < 20; seed++) {
            run(new Random(seed), sized);
        }
        assertThat(straggling).isGreaterThan(asked / 50);
        assertThat(covered).isGreaterThan(asked / 5);
    }

    private void run(Random random, boolean sized) {
        KindEstimates estimates = new KindEstimates(INTERVAL, 1.2, 1, EstimateRules.PRESET);
        List<Worker> workers = new ArrayList<>();
        Map<String, Slack> slacks = new HashMap<>();
        long now = 1_000_000;
        for (int look = 0; look < 150; look++, now += LOOK) {
            if (workers.size() < 60) {
                Worker worker = new Worker("a" + workers.size(), sized, random, now);
                workers.add(worker);
                estimates.launched(worker.name, "host of " + worker.name, now);
            }
            for (Worker worker : workers) {
                worker.work(LOOK);
                // What stands still reports too, now and then twice.
                if (now >= worker.nextReport) {
                    estimates.reported(worker.name, worker.report(sized), Supply.AT_HAND, now);
                    slacks.remove(worker.name);
                    worker.nextReport = now + random.nextLong(INTERVAL / 2, 2 * INTERVAL);
                }
            }
            look(estimates, workers, slacks, now);
        }
    }

    private void look(
            KindEstimates estimates, List<Worker> workers, Map<String, Slack> slacks, long now) {
        Drift drift = estimates.drift(now);
        for (Worker worker : workers) {
            boolean onSchedule =
                    estimates
                            .estimate(worker.name, now)
                            .map(estimate -> estimate.isOnSchedule(PRICE))
                            .orElse(false);
            asked++;
            straggling += onSchedule ? 0 : 1;
            Slack slack = slacks.getOrDefault(worker.name, Slack.NONE);
            if (slack.lasts(now) && slack.covers(PRICE, drift)) {
                covered++;
                assertThat(onSchedule).as(worker.name + " at " + now).isTrue();
            } else if (onSchedule) {
                slacks.put(worker.name, estimates.estimate(worker.name, now).orElseThrow().slack());
            }
        }
    }

    private static KindEstimates halfDone(int attempts, String host) {
        KindEstimates estimates = new KindEstimates(INTERVAL, 1.2, 1, EstimateRules.PRESET);
        for (int i = 0; i < attempts; i++) {
            estimates.launched("a" + i, host.isEmpty() ? "h" + i : host, 0);
            for (int report = 0; report <= 10; report++) {
                long now = (1 + report) * INTERVAL;
                estimates.reported(
                        "a" + i, new Report(report / 20.0, "map", 0, 0), Supply.AT_HAND, now);
            }
        }
        return estimates;
    }

    private static Slack slack(KindEstimates estimates, long now) {
        return estimates.estimate("a0", now).orElseThrow().slack();
    }

    @Test
    void itLastsUntilAReportIsMissing() {
        KindEstimates estimates = halfDone(20, "");
        Slack slack = slack(estimates, 11 * INTERVAL);
        assertThat(slack.covers(PRICE, estimates.drift(11 * INTERVAL))).isTrue();
        assertThat(slack.lasts(12 * INTERVAL)).isTrue();
        assertThat(slack.lasts(12 * INTERVAL + 1)).isFalse();
    }

    @Test
    void itEndsWhenOthersHaveBecomeFaster() {
        KindEstimates estimates = halfDone(20, "");
        long now = 11 * INTERVAL;
        Slack slack = slack(estimates, now);
        assertThat(slack.covers(PRICE, estimates.drift(now))).isTrue();
        for (int fast = 0; fast < 32; fast++) {
            estimates.launched("f" + fast, "fast" + fast, now);
            for (int report = 0; report <= 10; report++) {
                Report half = new Report(report / 20.0, "map", 0, 0);
                estimates.reported("f" + fast, half, Supply.AT_HAND, now + report * INTERVAL / 2);
            }
        }
        assertThat(slack.covers(PRICE, estimates.drift(now + 1))).isFalse();
    }

    @Test
    void thereIsNoneWhereHostsDiffer() {
        KindEstimates estimates = halfDone(3, "h");
        long now = 11 * INTERVAL;
        assertThat(slack(estimates, now)).isEqualTo(Slack.NONE);
        assertThat(slack(halfDone(20, ""), now).covers(PRICE, estimates.drift(now))).isFalse();
    }
}
