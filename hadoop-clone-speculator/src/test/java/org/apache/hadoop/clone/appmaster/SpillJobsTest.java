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

import java.nio.file.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole jobs, with per-spill outputs and as stock runs them. */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SpillCluster.Shared.class)
class SpillJobsTest {
    private static final int MAPS = 2;
    private static final int REDUCES = 2;

    private static SpillCluster cluster;
    private static Path[] text;
    private static String words;

    @BeforeAll
    static void start(SpillCluster shared) throws Exception {
        cluster = shared;
        text = new Path[] {cluster.text("large", 1, 60_000), cluster.text("empty", 2, 0)};
        words = cluster.run(SpillJobs.wordCount(cluster.stock()), text);
    }

    private static long counter(Job job, TaskCounter counter) throws Exception {
        return job.getCounters().findCounter(counter).getValue();
    }

    private static void assertInSpills(Job job) throws Exception {
        assertThat(counter(job, TaskCounter.SHUFFLED_MAPS)).isEqualTo(REDUCES * MAPS);
        assertThat(counter(job, TaskCounter.MERGED_MAP_OUTPUTS)).isGreaterThan(REDUCES * MAPS);
        assertThat(counter(job, TaskCounter.FAILED_SHUFFLE)).isZero();
    }

    @Tag("older-hadoop")
    @Test
    void countsWordsAsStockDoes() throws Exception {
        Job job = SpillJobs.wordCount(cluster.perSpill());
        assertThat(cluster.run(job, text)).isEqualTo(words);
        assertInSpills(job);
    }

    @Test
    void countsThemWithTheOldApi() throws Exception {
        Job job = SpillJobs.oldWordCount(cluster.perSpill());
        assertThat(cluster.run(job, text)).isEqualTo(words.replace("part-r-", "part-"));
        assertInSpills(job);
    }

    @Test
    void sortsAsStockDoes() throws Exception {
        String expected = cluster.run(SpillJobs.sort(cluster.stock()), text);
        Job job = SpillJobs.sort(cluster.perSpill());
        job.getConfiguration().setBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, true);
        job.getConfiguration().setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
        assertThat(cluster.run(job, text)).isEqualTo(expected);
        assertInSpills(job);
    }

    @Test
    void groupsAsStockDoes() throws Exception {
        String expected = cluster.run(SpillJobs.secondarySort(cluster.stock()), text);
        Job job = SpillJobs.secondarySort(cluster.perSpill());
        assertThat(cluster.run(job, text)).isEqualTo(expected);
        assertInSpills(job);
    }

    @Test
    void isStockWithoutOurAppMaster() throws Exception {
        Job job = SpillJobs.wordCount(cluster.perSpill());
        job.getConfiguration().set(MRJobConfig.MR_AM_COMMAND_OPTS, "-Xmx256m");
        assertThat(cluster.run(job, text)).isEqualTo(words);
        assertThat(counter(job, TaskCounter.MERGED_MAP_OUTPUTS)).isEqualTo(REDUCES * MAPS);
    }
}
