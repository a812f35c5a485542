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
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.seam.AlteredHadoop;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A whole job for which everything of ours is switched on, with a Hadoop that isn't known. */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SpillCluster.Shared.class)
class UnknownHadoopJobTest {
    private static final int MAPS = 2;
    private static final int REDUCES = 2;

    @TempDir private static Path altered;

    @Test
    void runsAsStocksAndSaysWhatIsMissing(SpillCluster cluster) throws Exception {
        Path[] text = {cluster.text("some", 3, 1000), cluster.text("none", 4, 0)};
        String words = cluster.run(SpillJobs.wordCount(cluster.stock()), text);
        AlteredHadoop.write(
                altered,
                "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
                "rename2");
        Job job = SpillJobs.wordCount(cluster.perSpill());
        job.getConfiguration().set(CloneKeys.MODE, "on");
        job.getConfiguration()
                .set(MRJobConfig.MR_AM_JOB_SPECULATOR, CloneSpeculator.class.getName());
        job.getConfiguration()
                .set(
                        MRJobConfig.MR_AM_COMMAND_OPTS,
                        SpillCluster.APP_MASTER_OPTIONS
                                + "-cp "
                                + altered
                                + ":$CLASSPATH "
                                + CloneAppMaster.class.getName());
        assertThat(cluster.run(job, text)).isEqualTo(words);
        assertThat(job.getCounters().findCounter(CloneCounter.CLONES_IMPOSSIBLE).getValue())
                .isEqualTo(1);
        assertThat(cluster.diagnostics(job))
                .contains("No clones in this job, which runs as stock's: ")
                .contains(HadoopLine.obstacle(VersionInfo.getVersion()).orElse("rename2"));
        assertThat(job.getCounters().findCounter(TaskCounter.MERGED_MAP_OUTPUTS).getValue())
                .as("outputs that aren't in spills")
                .isEqualTo(REDUCES * MAPS);
    }

    /** As on a node that has got another Hadoop while the job runs. */
    @Test
    void aReduceThatCanNotFetchSpillsStartsElsewhereAndHasNotFailed(
            SpillCluster cluster, @TempDir Path hadoop) throws Exception {
        Path text = cluster.text("for one reduce", 5, 1000);
        Job stock = SpillJobs.wordCount(cluster.stock());
        stock.setNumReduceTasks(1);
        String words = cluster.run(stock, text);
        AlteredHadoop.write(hadoop, "org.apache.hadoop.mapred.MapTask", "createSortingCollector");
        Job job = SpillJobs.wordCount(cluster.perSpill());
        job.setNumReduceTasks(1);
        Configuration conf = job.getConfiguration();
        conf.set(
                MRJobConfig.REDUCE_JAVA_OPTS,
                conf.get(MRJobConfig.REDUCE_JAVA_OPTS) + " -cp " + hadoop + ":$CLASSPATH");
        SpillCluster.Run run = cluster.start(job, text);
        await().atMost(Duration.ofSeconds(300))
                .until(
                        () ->
                                SpillJobs.count(job, JobCounter.NUM_KILLED_REDUCES) > 0
                                        || job.isComplete());
        FileUtils.deleteDirectory(hadoop.toFile());
        assertThat(run.output()).isEqualTo(words);
        assertThat(SpillJobs.count(job, JobCounter.NUM_KILLED_REDUCES)).isPositive();
        assertThat(SpillJobs.count(job, JobCounter.NUM_FAILED_REDUCES)).isZero();
    }
}
