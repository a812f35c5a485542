package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs, with per-spill outputs and as stock runs them. */
@Timeout(300)
class SpillJobsTest {
    private static final int MAPS = 3;

    @TempDir static Path dir;
    private static SpillCluster cluster;
    private static Path[] text;

    @BeforeAll
    static void start() throws Exception {
        cluster = new SpillCluster(dir);
        text =
                new Path[] {
                    cluster.text("large", 1, 60_000),
                    cluster.text("small", 2, 100),
                    cluster.text("empty", 3, 0)
                };
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Job assertSameAsStock(UnaryOperator<Job> program) throws Exception {
        String expected = cluster.run(program.apply(cluster.stock()), text);
        Job job = program.apply(cluster.perSpill());
        assertThat(cluster.run(job, text)).isEqualTo(expected);
        return job;
    }

    private static long counter(Job job, TaskCounter counter) throws Exception {
        return job.getCounters().findCounter(counter).getValue();
    }

    @Test
    void countsWordsAsStockDoes() throws Exception {
        assertSameAsStock(SpillJobs::wordCount);
    }

    @Test
    void sortsAsStockDoes() throws Exception {
        Job job = assertSameAsStock(SpillJobs::sort);
        assertThat(counter(job, TaskCounter.SHUFFLED_MAPS)).isEqualTo(2 * MAPS);
        assertThat(counter(job, TaskCounter.MERGED_MAP_OUTPUTS))
                .as("spills are fetched one by one")
                .isGreaterThan(2 * MAPS * 3);
        assertThat(counter(job, TaskCounter.FAILED_SHUFFLE)).isZero();
    }

    @Test
    void groupsAsStockDoes() throws Exception {
        assertSameAsStock(SpillJobs::secondarySort);
    }

    @Test
    void isStockWithoutOurAppMaster() throws Exception {
        Job job = SpillJobs.wordCount(cluster.perSpill());
        job.getConfiguration().set(MRJobConfig.MR_AM_COMMAND_OPTS, "-Xmx256m");
        String output = cluster.run(job, text);
        assertThat(output).isEqualTo(cluster.run(SpillJobs.wordCount(cluster.stock()), text));
    }
}
