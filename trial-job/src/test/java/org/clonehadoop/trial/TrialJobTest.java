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
package org.clonehadoop.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrialJobTest {
    @Test
    void mapsHaveAllNumbersBetweenThemEachOnce() throws Exception {
        Configuration configuration = new Configuration(false);
        configuration.setInt(NumberInput.MAPS, 3);
        configuration.setLong(NumberInput.RECORDS, 5);
        NumberInput input = new NumberInput();
        List<InputSplit> splits = input.getSplits(Job.getInstance(configuration));
        long count = 0;
        long sum = 0;
        for (InputSplit split : splits) {
            var reader = input.createRecordReader(split, null);
            reader.initialize(split, null);
            while (reader.nextKeyValue()) {
                LongWritable number = reader.getCurrentKey();
                count++;
                sum += number.get();
            }
            assertThat(reader.getProgress()).isEqualTo(1);
        }
        assertThat(TrialJob.isRight(15, count, sum)).isTrue();
        assertThat(TrialJob.isRight(15, count, sum + 1)).isFalse();
    }

    @Test
    void whatIsThereAlreadyStays(@TempDir Path directory) throws Exception {
        Path mine = Files.createFile(directory.resolve("mine"));
        Configuration configuration = new Configuration(false);
        configuration.set("fs.defaultFS", "file:///");
        assertThat(
                        ToolRunner.run(
                                configuration,
                                new TrialJob(),
                                new String[] {directory.toUri().toString()}))
                .isEqualTo(2);
        assertThat(mine).exists();
    }

    @Test
    void readsItsResultWhateverTheClusterDoesToOutputs(@TempDir Path directory) throws Exception {
        Configuration cluster = new Configuration();
        cluster.set("fs.defaultFS", "file:///");
        cluster.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        cluster.setInt("mapreduce.local.map.tasks.maximum", 4);
        cluster.setLong(NumberInput.RECORDS, 2);
        cluster.setBoolean("mapreduce.output.fileoutputformat.compress", true);
        cluster.set("mapreduce.output.textoutputformat.separator", ";");

        // Right, without a clone.
        String output = directory.resolve("output").toUri().toString();
        assertThat(ToolRunner.run(cluster, new TrialJob(), new String[] {output})).isEqualTo(3);
    }

    /** Of which a client hears nothing any more. */
    private static final class LostJob extends Job {
        private final Path output;
        private boolean isKilledBeforeItsOutputGoes;

        @SuppressWarnings("deprecation") // Job.getInstance makes no subclasses
        LostJob(Path output) throws IOException {
            super(new Configuration(false));
            this.output = output;
        }

        @Override
        public boolean monitorAndPrintJob() throws IOException {
            throw new IOException("no answer");
        }

        @Override
        public void killJob() {
            isKilledBeforeItsOutputGoes = Files.exists(output);
        }
    }

    @Test
    void aJobThatCantBeWatchedAnyMoreIsKilledAndLeavesNothing(@TempDir Path directory)
            throws Exception {
        Path output = Files.createDirectory(directory.resolve("output"));
        LostJob job = new LostJob(output);
        FileSystem files = FileSystem.getLocal(new Configuration(false));
        var path = new org.apache.hadoop.fs.Path(output.toUri());

        assertThatThrownBy(() -> TrialJob.watch(job, files, path)).hasMessage("no answer");

        assertThat(job.isKilledBeforeItsOutputGoes).isTrue();
        assertThat(output).doesNotExist();
    }

    @Test
    void isNoUberJobWhoseTasksNobodySpeculates() throws Exception {
        TrialJob trial = new TrialJob();
        trial.setConf(new Configuration(false));
        trial.getConf().setBoolean("mapreduce.job.ubertask.enable", true);
        Configuration job = trial.job(new org.apache.hadoop.fs.Path("output")).getConfiguration();

        assertThat(job.getBoolean("mapreduce.job.ubertask.enable", true)).isFalse();
    }

    @Test
    void failsIfTheJobsCountersAreGone() {
        assertThat(TrialJob.tell(null, 1, 6, 1)).isEqualTo(1);
    }

    @Test
    void onlyTheFirstAttemptOfOneMapBecomesSlow() {
        assertThat(slowdown("attempt_1_1_m_000001_0", 61)).isEqualTo(100);
        assertThat(slowdown("attempt_1_1_m_000001_0", 60)).isEqualTo(1);
        assertThat(slowdown("attempt_1_1_m_000001_1", 61)).isEqualTo(1);
        assertThat(slowdown("attempt_1_1_m_000000_0", 61)).isEqualTo(1);
    }

    private static int slowdown(String attempt, long seen) {
        return StragglingMapper.slowdown(TaskAttemptID.forName(attempt), seen, 100);
    }
}
