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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where duplicates are counted: in a job's counters, and in Hadoop's metrics. */
class CountedReadsTest {
    private static final int MB = 1 << 20;

    /** Reads all of its input, for nothing. */
    public static final class Reader extends Mapper<LongWritable, Text, Text, Text> {
        @Override
        protected void map(LongWritable key, Text value, Context context) {}
    }

    @Test
    void aJobsCountersTellOfDuplicates(@TempDir Path directory) throws Exception {
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/input");
        try (RacedHdfs hdfs = RacedHdfs.start(directory, RacedHdfs.conf())) {
            hdfs.create(input, MB);
            hdfs.cluster.getDataNodes().forEach(node -> RacedHdfs.slow(node, RacedHdfs.crawling()));
            long sent = RacedHdfs.count(Counter.SENT);
            Configuration conf = hdfs.client();
            conf.set("mapreduce.framework.name", "local");
            conf.set("hadoop.tmp.dir", directory.resolve("job").toString());
            Job job = Job.getInstance(conf);
            job.setMapperClass(Reader.class);
            job.setNumReduceTasks(0);
            job.setOutputFormatClass(NullOutputFormat.class);
            FileInputFormat.addInputPath(job, hdfs.system().makeQualified(input));
            assertThat(job.waitForCompletion(false)).isTrue();
            assertThat(RacedHdfs.count(Counter.SENT)).isGreaterThan(sent);
            Counters counters = job.getCounters();
            // The task's JVM is this one, and other tests' reads count as well.
            assertThat(counters.findCounter(JobCounters.ALL, FileSystemCounter.READ_OPS).getValue())
                    .isEqualTo(RacedHdfs.count(Counter.SENT));
            assertThat(counters.findCounter(JobCounters.WON, FileSystemCounter.READ_OPS).getValue())
                    .isEqualTo(RacedHdfs.count(Counter.WON));
            assertThat(
                            counters.findCounter(JobCounters.ALL, FileSystemCounter.BYTES_READ)
                                    .getValue())
                    .isGreaterThanOrEqualTo(RacedHdfs.count(Counter.BYTES_WON))
                    .isPositive();
            assertMetrics();
            try (FSDataInputStream in = hdfs.system().open(input)) {
                assertThat(in.read()).isNotNegative();
            }
        }
    }

    private static void assertMetrics() throws IOException {
        // Another test's cluster may have ended the metrics with itself.
        ClientMetrics.register(DuplicateReadStatistics.ofJvm());
        MetricsSource source = DefaultMetricsSystem.instance().getSource(ClientMetrics.NAME);
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        assertThat(collector.getRecords()).hasSize(1);
        assertThat(collector.getRecords().get(0).metrics())
                .anySatisfy(
                        metric -> {
                            assertThat(metric.name()).isEqualTo(Counter.SENT.key());
                            assertThat(metric.value().longValue()).isPositive();
                        });
    }
}
