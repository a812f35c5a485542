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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.clone.hdfs.datanode.BlockLinkPlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitter;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** One file that a map of {@link CountedInput} writes to HDFS, in small blocks. */
final class HdfsOutput {
    /** So many records fill at least two of its blocks. */
    static final long TWO_BLOCKS = 6000;

    private static final int BLOCK = 64 << 10;
    private static final Path DIRECTORY = new Path("/out");

    private final FileSystem system;
    private final Path file;

    HdfsOutput(FileSystem system, String name) {
        this.system = system;
        file = new Path(DIRECTORY, name);
    }

    static MiniDFSCluster start(java.nio.file.Path directory) throws IOException {
        Configuration conf = new Configuration();
        conf.setInt("dfs.replication", 1);
        conf.setLong("dfs.blocksize", BLOCK);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK);
        conf.set("dfs.datanode.plugins", BlockLinkPlugin.class.getName());
        return MiniHdfs.build(
                new MiniDFSCluster.Builder(conf, Files.createDirectories(directory).toFile()));
    }

    /** Has the job write there. */
    void configure(JobConf job) {
        job.set("fs.defaultFS", system.getUri().toString());
        job.set(FileOutputFormat.OUTDIR, system.makeQualified(DIRECTORY).toString());
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        job.setLong("dfs.blocksize", BLOCK);
        job.setInt("dfs.replication", 1);
    }

    /** Has each record written to a side output too. */
    static void withSide(JobConf job) throws IOException {
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, SideOutputMapper.class, Mapper.class);
        org.apache.hadoop.mapreduce.Job side = org.apache.hadoop.mapreduce.Job.getInstance(job);
        MultipleOutputs.addNamedOutput(
                side,
                SideOutputMapper.SIDE,
                TextOutputFormat.class,
                LongWritable.class,
                Text.class);
        side.getConfiguration().forEach(entry -> job.set(entry.getKey(), entry.getValue()));
    }

    /** Has the job's output committed by Hadoop's other committer. */
    static void withManifest(JobConf job) {
        job.setClass(
                PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS,
                ManifestCommitterFactory.class,
                PathOutputCommitterFactory.class);
    }

    /** What an AppMaster would do when all tasks are done. */
    void commitManifests() throws IOException {
        JobConf job = new JobConf();
        configure(job);
        // As the tasks' container has it.
        job.setInt(MRJobConfig.APPLICATION_ATTEMPT_ID, 1);
        JobContext context = new JobContextImpl(job, TaskJvm.ATTEMPT.getJobID());
        new ManifestCommitter(
                        system.makeQualified(DIRECTORY),
                        new TaskAttemptContextImpl(job, TaskJvm.ATTEMPT))
                .commitJob(context);
    }

    /** Has it write one more file at its end, where it was told at its beginning that it may. */
    static void withLast(JobConf job, String kept) {
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, LastFileMapper.class, Mapper.class);
        job.set(LastFileMapper.KEPT, kept);
    }

    /** The attempt that wrote that file; then no file. */
    String takeLast() throws IOException {
        Path last = new Path(DIRECTORY, LastFileMapper.NAME);
        String writer;
        try (FSDataInputStream in = system.open(last)) {
            writer = in.readUTF();
        }
        system.delete(last, false);
        return writer;
    }

    /** Every record once, in order, read first by the one and last by the other; then no file. */
    void assertRecords(long count, TaskAttemptID first, TaskAttemptID last) throws IOException {
        List<String> lines;
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(system.open(file), StandardCharsets.UTF_8))) {
            lines = in.lines().toList();
        }
        assertThat(lines).hasSize((int) count);
        for (int i = 0; i < count; i++) {
            assertThat(lines.get(i)).startsWith(i + 1 + "\tattempt_");
        }
        assertThat(lines.get(0)).endsWith("\t" + first);
        assertThat(lines.get((int) count - 1)).endsWith("\t" + last);
        system.delete(file, false);
    }
}
