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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.score.LearnedCosts;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostMemoryTest {
    private static final CloneCosts CONFIGURED = new CloneCosts(1.2, 1500, 100_000);

    @TempDir private Path staging;
    private final Configuration conf = new Configuration();

    @BeforeEach
    void submit() throws IOException {
        Path job = Files.createDirectory(staging.resolve("job_1_0001"));
        conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, job.toUri().toString());
    }

    private CostMemory of(LearnedCosts learned) {
        return CostMemory.of(conf, CONFIGURED, learned).orElseThrow();
    }

    private static LearnedCosts learned() {
        return new LearnedCosts(CONFIGURED, kind -> 1, CostRules.PRESET, () -> 0);
    }

    private static LearnedCosts taught() {
        LearnedCosts taught = learned();
        taught.learn(5500, 100_000_000, 4000);
        return taught;
    }

    /** A job waits for no more than some seconds; a busy machine may need longer. */
    private void keepTaught() {
        of(taught()).keep();
        await().until(() -> Files.exists(staging.resolve(CostFile.NAME)));
    }

    @Test
    void theNextJobBeginsWithWhatTheLastOneHasLearned() {
        keepTaught();
        LearnedCosts next = learned();
        of(next).recall();
        CloneCosts kept = taught().costs();
        await().until(() -> Math.abs(next.costs().vmMillis() - kept.vmMillis()) < 1e-6);
        await().until(() -> Math.abs(next.costs().bytesPerMilli() - kept.bytesPerMilli()) < 1e-6);
        // It weighs as what is configured does.
        next.learn(kept.vmMillis() / 16, 0, 0);
        assertThat(next.costs().vmMillis()).isCloseTo(kept.vmMillis() / 2, within(1e-6));
    }

    @Test
    void aJobWithoutClonesLeavesWhatIsThere() throws IOException {
        keepTaught();
        String before = Files.readString(staging.resolve(CostFile.NAME));
        of(learned()).keep();
        assertThat(staging.resolve(CostFile.NAME)).hasContent(before);
    }

    @Test
    void whatItsOwnClonesShowCountsMore() {
        LearnedCosts ofEarlier = taught();
        LearnedCosts own = learned();
        own.learn(1500, 0, 0);
        own.beginAt(ofEarlier.costs());
        assertThat(own.costs().vmMillis()).isEqualTo(1500);
    }

    @Test
    void nothingIsRememberedWhereThatIsNotWanted() {
        conf.setBoolean(CloneKeys.REMEMBER_COSTS, false);
        assertThat(CostMemory.of(conf, CONFIGURED, taught())).isEmpty();
        conf.unset(CloneKeys.REMEMBER_COSTS);
        conf.unset(MRJobConfig.MAPREDUCE_JOB_DIR);
        assertThat(CostMemory.of(conf, CONFIGURED, taught())).isEmpty();
    }

    @Test
    void whereNothingCanBeWrittenTheJobEndsAsItWould() {
        conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, "/proc/none/job_1_0001");
        of(taught()).keep();
        assertThat(staging.resolve(CostFile.NAME)).doesNotExist();
    }

    /** Neither its beginning nor its end waits for a NameNode that takes calls and answers none. */
    @Test
    void aFileSystemThatHangsHoldsNoJobUp() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + mute.getLocalPort());
            conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, "/staging/job_1_0001");
            LearnedCosts learned = taught();
            CloneCosts before = learned.costs();
            CostMemory memory = of(learned);
            memory.recall();
            memory.keep();
            assertThat(learned.costs()).isEqualTo(before);
        }
    }
}
