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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptContextImpl;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskCommitterTest {
    private static final String OLD = TaskJvm.REDUCE.toString();
    private static final String NOW = new TaskAttemptID(TaskJvm.REDUCE.getTaskID(), 1).toString();

    @TempDir private java.nio.file.Path temp;
    private final JobConf job = new JobConf();
    private final org.apache.hadoop.mapred.TaskAttemptContext context =
            new TaskAttemptContextImpl(job, TaskJvm.REDUCE);
    private Path out;

    @BeforeEach
    void setUp() {
        out = new Path(temp.resolve("out").toUri());
        job.set(FileOutputFormat.OUTDIR, out.toString());
    }

    private TaskCommitter committedBy(OutputCommitter committer) {
        Task task = TaskJvm.reduce(1);
        Fields.set(task, "committer", committer);
        Fields.set(task, "taskContext", context);
        return new TaskCommitter(task, job);
    }

    private void declare(Class<?> committer) {
        job.set(CloneKeys.COMMITTERS, "org.example.Other, " + committer.getName());
    }

    private static String unknown(Class<?> committer) {
        return "its output is committed by "
                + committer.getName()
                + ", which isn't in mapreduce.clone.committers";
    }

    @Test
    void ofHadoopIsFollowedWhereverItIs() throws Exception {
        org.apache.hadoop.mapred.FileOutputCommitter old =
                new org.apache.hadoop.mapred.FileOutputCommitter();
        old.needsTaskCommit(context);
        for (OutputCommitter hadoops :
                new OutputCommitter[] {
                    new FileOutputCommitter(out, context), old, new ManifestCommitter(out, context)
                }) {
            TaskCommitter committer = committedBy(hadoops);
            assertThat(committer.obstacle()).isEmpty();
            Path kept = committer.workPath().orElseThrow();
            assertThat(kept.toString()).contains(OLD);

            committer.rename(OLD, NOW);
            assertThat(committer.workPath().orElseThrow()).isSameAs(kept);
            assertThat(kept.toString()).contains(NOW).doesNotContain(OLD);
            assertThat(new Path(kept, "besides").toString()).contains(NOW + "/besides");
        }
    }

    @Test
    void callsItselfAfterTheClone() throws Exception {
        ManifestCommitter manifest = new ManifestCommitter(out, context);
        committedBy(manifest).rename(OLD, NOW);
        assertThat(manifest.toString()).contains("taskAttemptId='" + NOW).doesNotContain(OLD);
    }

    /** A ManifestCommitter makes its directory as the task begins. */
    @Test
    void hasFilesWhenThereAreSome() throws Exception {
        TaskCommitter committer = committedBy(new ManifestCommitter(out, context));
        assertThat(committer.hasFiles()).isFalse();
        committer.setUp();
        java.nio.file.Path work =
                java.nio.file.Path.of(committer.workPath().orElseThrow().toUri().getPath());
        assertThat(work).isEmptyDirectory();
        assertThat(committer.hasFiles()).isFalse();
        Files.createFile(work.resolve("part"));
        assertThat(committer.hasFiles()).isTrue();
    }

    /** It has nothing of its own that a task would come by. */
    @Test
    void thatDiffersFromHadoopsOnlyForAJobIsFollowed() throws Exception {
        assertThat(committedBy(new OfJobs(out, context)).obstacle()).isEmpty();
    }

    private static final class OfJobs extends FileOutputCommitter {
        OfJobs(Path out, TaskAttemptContext context) throws IOException {
            super(out, context);
        }

        @Override
        public void commitJob(JobContext job) {}
    }

    /** Whether it has files or not: it may commit by an id that it has kept. */
    @Test
    void thatDiffersFromHadoopsForATaskIsLeftAlone() throws Exception {
        assertThat(committedBy(new OfTasks(context)).obstacle()).hasValue(unknown(OfTasks.class));
        assertThat(committedBy(new Foreign()).obstacle()).hasValue(unknown(Foreign.class));
    }

    private static final class OfTasks extends org.apache.hadoop.mapred.FileOutputCommitter {
        OfTasks(org.apache.hadoop.mapred.TaskAttemptContext context) throws IOException {
            needsTaskCommit(context);
        }

        @Override
        public void commitTask(org.apache.hadoop.mapred.TaskAttemptContext context) {}
    }

    private static final class Foreign extends OutputCommitter {
        @Override
        public void setupJob(JobContext job) {}

        @Override
        public void setupTask(TaskAttemptContext task) {}

        @Override
        public boolean needsTaskCommit(TaskAttemptContext task) {
            return false;
        }

        @Override
        public void commitTask(TaskAttemptContext task) {}

        @Override
        public void abortTask(TaskAttemptContext task) {}
    }

    @Test
    void withAWorkPathThatNobodyKnowsIsLeftAlone() throws Exception {
        TaskCommitter committer = committedBy(new BindingPathOutputCommitter(out, context));
        assertThat(committer.obstacle()).hasValue(BoundOutput.REASON);
    }

    @Test
    void declaredSafeIsFollowedToo() throws Exception {
        declare(BindingPathOutputCommitter.class);
        TaskCommitter committer = committedBy(new BindingPathOutputCommitter(out, context));
        assertThat(committer.obstacle()).isEmpty();
        committer.rename(OLD, NOW);
        assertThat(committer.workPath().orElseThrow().toString()).contains(NOW);
    }

    @Test
    void declaredSafeThatMakesItsPathAnewIsLeftAlone() throws Exception {
        declare(Forgetful.class);
        TaskCommitter committer = committedBy(new Forgetful(new Path(out, OLD), context));
        String reason = Forgetful.class.getName() + " keeps no work path";
        assertThat(committer.obstacle()).hasValue(reason);
    }

    /** Makes its path anew each time. */
    private static final class Forgetful extends FileOutputCommitter {
        private final String workPath;

        Forgetful(Path workPath, TaskAttemptContext context) throws IOException {
            super(workPath, context);
            this.workPath = workPath.toString();
        }

        @Override
        public Path getWorkPath() {
            return new Path(workPath);
        }
    }

    /** A clone that would write where its original does ends. */
    @Test
    void declaredSafeThatGoesBackToItsPathIsFoundOut() throws Exception {
        TaskCommitter committer = committedBy(new Forgetful(new Path(out, OLD), context));
        assertThatThrownBy(() -> committer.rename(OLD, NOW))
                .isInstanceOf(IOException.class)
                .hasMessage(Forgetful.class.getName() + " keeps another work path");
    }

    @Test
    void thatWritesWhereAllAttemptsDoIsLeftAlone() throws Exception {
        declare(Forgetful.class);
        TaskCommitter committer = committedBy(new Forgetful(out, context));
        String reason = "it writes to " + out + ", as every attempt of its task does";
        assertThat(committer.obstacle()).hasValue(reason);
    }

    @Test
    void ofNothingIsNoObstacle() throws Exception {
        TaskCommitter none = committedBy(new NullOutputFormat<>().getOutputCommitter(context));
        assertThat(none.obstacle()).isEmpty();
        assertThat(none.workPath()).isEmpty();
        assertThat(none.hasFiles()).isFalse();
        none.rename(OLD, NOW);
    }

    /** As DBOutputFormat has it. */
    @Test
    void ofFilesWithoutAPathHasNone() throws Exception {
        TaskCommitter committer = committedBy(new FileOutputCommitter(null, context));
        assertThat(committer.obstacle()).isEmpty();
        assertThat(committer.workPath()).isEmpty();
        assertThat(committer.hasFiles()).isFalse();
        committer.rename(OLD, NOW);
    }
}
