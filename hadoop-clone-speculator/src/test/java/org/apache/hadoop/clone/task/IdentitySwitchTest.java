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

import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** This process becomes a clone of a reduce, as far as that can be without being one. */
@Timeout(60)
@Isolated("its RPC clients, and who it is, are those of the whole JVM")
class IdentitySwitchTest {
    private static final TaskAttemptID CLONED = new TaskAttemptID(TaskJvm.REDUCE.getTaskID(), 1);

    @TempDir private java.nio.file.Path temp;
    private final JobConf job = new JobConf(false);

    /** With an id of its own, which is overwritten in place. */
    private final ReduceTask task =
            new ReduceTask(
                    MRJobConfig.JOB_CONF_FILE,
                    new TaskAttemptID(TaskJvm.REDUCE.getTaskID(), TaskJvm.REDUCE.getId()),
                    TaskJvm.REDUCE.getTaskID().getId(),
                    1,
                    1);

    @AfterEach
    void isNoCloneAnyMore() {
        TaskHooks.isClone(null);
    }

    /** A job that has more than it may fails. */
    @Test
    void saysWhatItWasClonedFromWhereThatIsNotOneCounterTooMany() {
        Counters few = new Counters();
        Counters many = new Counters();
        for (int i = 0; i < Limits.getCountersMax(); i++) {
            many.findCounter("user's", "counter " + i);
        }
        for (Counters counters : List.of(few, many)) {
            // Hadoop's own don't count.
            Stream.of(TaskCounter.values()).forEach(counters::findCounter);
            IdentitySwitch.countOrigin(counters, CLONED);
        }
        assertThat(few.findCounter("org.apache.hadoop.clone", "CLONED_FROM_ATTEMPT_1").getValue())
                .isOne();
        assertThat(many.getGroupNames()).doesNotContain("org.apache.hadoop.clone");
    }

    @Test
    void hasWhatTheCloneWritesCommitted() throws Exception {
        FileOutputCommitter committer =
                new FileOutputCommitter(
                        new Path("file:/out"), new TaskAttemptContextImpl(job, task.getTaskID()));
        Fields.set(task, "committer", committer);
        become();
        assertThat(committer.getWorkPath().toString()).contains(CLONED.toString());
    }

    @Test
    void deletesNothingAtItsEndThatIsNotItsOwn() throws Exception {
        job.setClass("fs.shared.impl", SharedFileSystem.class, FileSystem.class);
        Path shared = new Path("shared:/both");
        shared.getFileSystem(job).deleteOnExit(shared);
        Path local = new Path(Files.createFile(temp.resolve("local")).toUri());
        local.getFileSystem(job).deleteOnExit(local);
        FileContext.getLocalFSFileContext().deleteOnExit(local);
        Map<?, ?> ofContexts = Fields.of(FileContext.class, "DELETE_ON_EXIT");
        assertThat(ofContexts).isNotEmpty();

        become();
        assertThat(ofContexts).isEmpty();
        assertThat(shared.getFileSystem(job).cancelDeleteOnExit(shared)).isFalse();
        assertThat(local.getFileSystem(job).cancelDeleteOnExit(local)).isTrue();
    }

    /** Leases belong to names. */
    @Test
    void opensFilesOfHdfsUnderAnotherName() throws Exception {
        job.set(MRJobConfig.TASK_ATTEMPT_ID, TaskJvm.REDUCE.toString());
        DFSClient client = new DFSClient(URI.create("hdfs://localhost:1/"), job);
        TaskHooks.hdfsClientMade(client);
        String before = client.getClientName();
        assertThat(before).contains(TaskJvm.REDUCE.toString());

        become();
        assertThat(client.getClientName())
                .startsWith(before.replace(TaskJvm.REDUCE.toString(), CLONED.toString()) + "_");
    }

    /** All that it is made of may be the same in the clone and its original. */
    @Test
    void opensNewClientsUnderAnotherNameToo() throws Exception {
        become();
        DFSClient client = new DFSClient(URI.create("hdfs://localhost:1/"), new JobConf(false));
        String name = client.getClientName();
        TaskHooks.hdfsClientMade(client);
        assertThat(client.getClientName()).matches(Pattern.quote(name) + "_[0-9a-f]{8}");
    }

    /** Such a one loads its properties when it is asked next. */
    @Test
    void renamesWhatWasSetInAConfigurationThatIsNotLoaded() throws Exception {
        JobConf loaded = new JobConf(false);
        loaded.set("mine", "of " + TaskJvm.REDUCE);
        JobConf later = new JobConf(loaded);
        later.reloadConfiguration();
        become();
        assertThat(loaded.get("mine")).isEqualTo("of " + CLONED);
        assertThat(later.get("mine")).isEqualTo("of " + CLONED);
    }

    @Test
    void deletesNothingOfAFileSystemInsideAnother() throws Exception {
        job.setClass("fs.outer.impl", OuterFileSystem.class, FileSystem.class);
        Path shared = new Path("shared:/both");
        FileSystem inner = new Path("outer:/both").getFileSystem(job).getChildFileSystems()[0];
        inner.deleteOnExit(shared);

        become();
        assertThat(inner.cancelDeleteOnExit(shared)).isFalse();
    }

    /** Made of another one. */
    public static final class OuterFileSystem extends FilterFileSystem {
        public OuterFileSystem() {
            super(new SharedFileSystem());
        }

        @Override
        public URI getUri() {
            return URI.create("outer:///");
        }

        @Override
        public String getScheme() {
            return "outer";
        }
    }

    /** In which everything is there. */
    public static final class SharedFileSystem extends RawLocalFileSystem {
        @Override
        public URI getUri() {
            return URI.create("shared:///");
        }

        @Override
        public boolean exists(Path path) {
            return true;
        }
    }

    private void become() throws Exception {
        IdentitySwitch.to(
                new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1"),
                CloneIds.of(TaskJvm.REDUCE, 1),
                new RunningReduce(task, job, Thread.currentThread(), null));
    }
}
