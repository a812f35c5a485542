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

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.Trouble;
import org.clonehadoop.simulator.yarn.Sharing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimClusterTest {
    private static final HostSpec HOST = new HostSpec(4, 1000, 1000, 4);
    private static final int HOSTS = 6;

    private final SimCluster cluster =
            new SimCluster(ClusterSpec.of(job(1, 1), Sharing.FAIR), new Draws(1));
    private final List<RunRecord> ended = new ArrayList<>();

    private static JobSpec job(int maps, int reduces, Trouble... troubles) {
        return JobSpec.ofThePaper()
                .withMegabytes(maps * 512)
                .withTasks(maps, reduces)
                .withHosts(HOSTS, HOST)
                .withCosts(CostBook.measured())
                .withTroubles(troubles);
    }

    private SimAppMaster submit(JobSpec spec, Kind kind, long seed) {
        SimAppMaster job = Simulation.job(cluster, spec, kind, new Draws(seed), ended::add);
        job.submit();
        return job;
    }

    private void runUntilEnded(int count) {
        cluster.run(() -> ended.size() == count);
    }

    @ParameterizedTest
    @EnumSource
    void jobsAtOnceAllEndWithAllTheirTasks(Kind kind) {
        for (int i = 1; i <= 4; i++) {
            submit(job(4 + i, i, new LogNormal(0.1, 2)), kind, i);
        }

        runUntilEnded(4);

        assertThat(ended)
                .extracting(run -> run.ends().size())
                .containsExactlyInAnyOrder(6, 8, 10, 12);
        assertThat(cluster.running()).isZero();
    }

    @Test
    void jobsThatShareHostsTakeLongerThanAlone() {
        submit(job(20, 0), Kind.NONE, 1);
        runUntilEnded(1);
        for (int i = 1; i <= 3; i++) {
            submit(job(20, 0), Kind.NONE, 1);
        }

        runUntilEnded(4);

        double alone = ended.get(0).jobSeconds();
        assertThat(ended.subList(1, 4)).allMatch(run -> run.jobSeconds() > 1.5 * alone);
    }

    @Test
    void secondsAreSinceTheJobsOwnSubmission() {
        submit(job(1, 0), Kind.NONE, 1);
        runUntilEnded(1);
        submit(job(1, 0), Kind.NONE, 1);
        runUntilEnded(2);

        assertThat(ended.get(1).jobSeconds()).isLessThan(1.5 * ended.get(0).jobSeconds());
    }

    @Test
    void aHostThatIsLostIsLostForAllJobs() {
        submit(job(20, 2), Kind.STOCK, 1);
        submit(job(20, 2), Kind.STOCK, 2);
        cluster.timeline().after(45_000, () -> cluster.lose(cluster.hosts().get(1)));

        runUntilEnded(2);

        assertThat(ended).allMatch(run -> run.thrownAwaySeconds() > 0);
    }

    /** Else a day would need the memory of all its jobs. */
    @ParameterizedTest
    @EnumSource(names = {"STOCK", "OURS"})
    void nothingHoldsAnAppMasterWhoseJobHasEnded(Kind kind) {
        WeakReference<SimAppMaster> first =
                new WeakReference<>(submit(job(12, 4, new LogNormal(0.1, 2)), kind, 1));
        runUntilEnded(1);
        submit(job(4, 1), kind, 2);
        runUntilEnded(2);

        for (int i = 0; i < 100 && first.get() != null; i++) {
            System.gc();
        }

        assertThat(first.get()).isNull();
    }
}
