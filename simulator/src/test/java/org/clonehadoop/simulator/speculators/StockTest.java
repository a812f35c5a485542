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
package org.clonehadoop.simulator.speculators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.junit.jupiter.api.Test;

/** What is simulated as Hadoop's speculator orders what Hadoop's own thread does. */
class StockTest {
    private static final int MAPS = 12;
    private static final int STRAGGLERS = 3;
    private static final int SECONDS = 110;
    private static final double USUAL_SECONDS = 30;

    /** Somebody who looks when the job's clock has come so far. */
    private interface Looking extends ScriptedJob.Told {
        void lookIfDue(long now);
    }

    /** With its thread, which would sleep for an hour, and is woken when it is to look. */
    private static final class Started extends DefaultSpeculator implements Looking {
        private final ScriptedJob job;
        private final Thread thread;
        private long nextMillis;

        Started(ScriptedJob job) throws ReflectiveOperationException {
            super(sleepy(), job.context);
            this.job = job;
            init(sleepy());
            start();
            Field field = DefaultSpeculator.class.getDeclaredField("speculationBackgroundThread");
            field.setAccessible(true);
            thread = (Thread) field.get(this);
            awaitLook();
        }

        private static Configuration sleepy() {
            long hour = TimeUnit.HOURS.toMillis(1);
            Configuration conf = new Configuration(false);
            conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, hour);
            conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE, hour);
            return conf;
        }

        /** It has taken what woke it, and sleeps again. */
        private void awaitLook() {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofMinutes(1))
                    .until(
                            () ->
                                    eventQueueEmpty()
                                            && thread.getState() == Thread.State.TIMED_WAITING);
        }

        @Override
        public void lookIfDue(long now) {
            if (now >= nextMillis) {
                int before = job.orders.size();
                scanForSpeculations();
                awaitLook();
                nextMillis =
                        now
                                + (job.orders.size() > before
                                        ? MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE
                                        : MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE);
            }
        }
    }

    /** Most maps take 30 s, the last three 120, 150 and 180 s. */
    private static void play(ScriptedJob job, Looking speculator) {
        job.begin(speculator);
        for (int map = 0; map < MAPS; map++) {
            job.start(map, speculator);
        }
        for (int second = 1; second <= SECONDS; second++) {
            long now = ScriptedJob.BEGIN + 1000L * second;
            job.at(now);
            for (int map = 0; map < MAPS && second % 3 == 0; map++) {
                double before = (second - 3) / seconds(map);
                double progress = second / seconds(map);
                if (before < 1 && progress >= 1) {
                    job.succeed(map, speculator);
                } else if (progress < 1) {
                    job.report(map, progress, speculator);
                }
            }
            speculator.lookIfDue(now);
            job.startWhatIsOrdered(speculator);
        }
    }

    private static double seconds(int map) {
        int straggler = map - (MAPS - STRAGGLERS);
        return straggler < 0 ? USUAL_SECONDS : USUAL_SECONDS * (4 + straggler);
    }

    @Test
    void itOrdersWhatAStartedOneDoesAtTheSameMoments() throws Exception {
        ScriptedJob real = new ScriptedJob(MAPS);
        ScriptedJob simulated = new ScriptedJob(MAPS);
        Stock stock = new Stock(new Configuration(false), simulated.context);
        Looking looking =
                new Looking() {
                    @Override
                    public void handle(SpeculatorEvent event) {
                        stock.handle(event);
                    }

                    @Override
                    public void lookIfDue(long now) {
                        stock.look();
                    }
                };

        play(simulated, looking);
        try (Started started = new Started(real)) {
            play(real, started);
        }

        assertThat(real.orders).hasSize(STRAGGLERS);
        assertThat(simulated.orders).isEqualTo(real.orders);
    }
}
