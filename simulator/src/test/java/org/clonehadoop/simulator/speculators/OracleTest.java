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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.SlowAttempt;
import org.clonehadoop.simulator.trouble.Trouble;
import org.junit.jupiter.api.Test;

class OracleTest {
    private static final int WORLDS = 60;

    /**
     * With each speculator, of all worlds; the test would say nothing if it left most of them out.
     */
    private static final int LEAST_COMPARED = 50;

    /** Hadoop's caps allow so many a second attempt at once, whatever else they say. */
    private static final int MOST_TASKS = 10;

    /** For every container a processor, and more of disk and link than it can use. */
    private static final HostSpec AMPLE = new HostSpec(4, 1000, 1000, 4);

    /**
     * What luck alone may take from the oracle, in seconds: a second until its look, three
     * heartbeats until a container is there, where another's may be there at once, half a second of
     * launch, and a clone's last unspilled 80 MB at 90 MB/s, of which another's may have none.
     */
    private static final double LUCK = 1 + 3 + 0.5 + 1;

    /**
     * In these worlds tasks don't compete, and the oracle's forecasts are the truth: maps alone,
     * room for all of them twice, a cap that never binds, ample hosts that stay as they are. So a
     * job is as long as its longest task, and each task's end depends only on when and how it got
     * its second attempt. The later that is ordered, the later it ends: one from zero by as much, a
     * clone by what it could have done faster meanwhile than its original. The oracle orders the
     * better of both in the first look in which either gains anything. What is left to others is
     * luck with heartbeats and spills, which is bounded.
     *
     * <p>It orders one second attempt for a task, so it is no bound of what orders another in the
     * place of one that straggles: such runs aren't compared.
     *
     * <p>That needs one trouble at a time: an attempt is slow from its beginning on, or it becomes
     * slow and the second doesn't. An original that is first the faster and then the slower of two
     * is best cloned in between, and so early an order as the oracle's is not the best.
     */
    @Test
    void nobodyBeatsTheOracleByMoreThanLuckWhereTasksDoNotCompete() {
        SplittableRandom random = new SplittableRandom(11);
        Map<Kind, Integer> compared = new EnumMap<>(Kind.class);
        for (int world = 0; world < WORLDS; world++) {
            JobSpec spec = world(random);
            long seed = random.nextLong(1000);
            double oracle = Simulation.run(spec, Kind.ORACLE, seed).jobSeconds();
            for (Kind kind : List.of(Kind.NONE, Kind.STOCK, Kind.PAPER, Kind.OURS)) {
                RunRecord run = Simulation.run(spec, kind, seed);
                if (hasDrawnTwice(run)) {
                    continue;
                }
                compared.merge(kind, 1, Integer::sum);
                double other = run.jobSeconds();
                assertThat(oracle)
                        .as("%s with seed %d, against %s", spec, seed, kind)
                        .isLessThanOrEqualTo(other + LUCK);
            }
        }
        assertThat(compared)
                .hasSize(4)
                .allSatisfy(
                        (kind, worlds) ->
                                assertThat(worlds)
                                        .as("%s", kind)
                                        .isGreaterThanOrEqualTo(LEAST_COMPARED));
    }

    /** A task had several second attempts, of which the later may be luckier than the first. */
    private static boolean hasDrawnTwice(RunRecord run) {
        return run.orders().size() > run.speculated().size();
    }

    private static JobSpec world(SplittableRandom random) {
        int maps = 1 + random.nextInt(MOST_TASKS);
        return JobSpec.ofThePaper()
                .withMegabytes(maps * (256 + 128 * random.nextInt(8)))
                .withTasks(maps, 0)
                .withHosts(8, AMPLE)
                .withCosts(CostBook.measured())
                .withConf(Map.of("mapreduce.task.io.sort.mb", "100"))
                .withTroubles(trouble(random, maps));
    }

    private static Trouble trouble(SplittableRandom random, int maps) {
        if (random.nextBoolean()) {
            return new LogNormal(0.1, 1 + random.nextInt(3));
        }
        String straggler = String.format("m_%06d_0", random.nextInt(maps));
        return new SlowAttempt(straggler, 1 + random.nextInt(50), 0.1 * random.nextInt(10));
    }

    /** It needs no estimate, and so no attempt that has ended before. */
    @Test
    void theOracleSeesTheOnlyAttemptStraggle() {
        JobSpec spec =
                JobSpec.ofThePaper()
                        .withMegabytes(1024)
                        .withTasks(1, 0)
                        .withHosts(2, AMPLE)
                        .withCosts(CostBook.measured())
                        .withTroubles(new SlowAttempt("m_000000_0", 100, 0));

        assertThat(Simulation.run(spec, Kind.ORACLE, 1).orders())
                .singleElement()
                .satisfies(order -> assertThat(order.seconds()).isLessThan(6));
    }
}
