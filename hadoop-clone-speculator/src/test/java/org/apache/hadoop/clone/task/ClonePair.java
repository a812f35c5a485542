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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A task, and the clone that is made of it with the real tool. */
final class ClonePair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];

    final TaskJvm original;
    final CloneContainer clone;
    final StandInAppMaster appMaster;

    /** The clone's id. */
    final TaskAttemptID cloned;

    private final Path tool;

    /**
     * @param directory an empty one
     */
    static ClonePair ofMap(Path directory) throws Exception {
        TaskJvm jvm = new TaskJvm(directory.resolve("original"));
        return new ClonePair(directory, jvm, jvm.task());
    }

    /** A map of that input. */
    static ClonePair ofMap(Path directory, Writable input) throws Exception {
        TaskJvm jvm = new TaskJvm(directory.resolve("original"));
        return new ClonePair(directory, jvm, jvm.task(input));
    }

    /** A reduce of a job with so many maps. */
    static ClonePair ofReduce(Path directory, int maps) throws Exception {
        TaskJvm jvm = new TaskJvm(directory.resolve("original"), TaskJvm.REDUCE);
        return new ClonePair(directory, jvm, TaskJvm.reduce(maps));
    }

    private ClonePair(Path directory, TaskJvm jvm, Task task) throws Exception {
        tool = NativeTool.required();
        original = jvm;
        clone = new CloneContainer(directory.resolve("clone"));
        appMaster = new StandInAppMaster(task);
        cloned = new TaskAttemptID(task.getTaskID().getTaskID(), 1);
        appMaster.expected = new CloneIdentity(cloned, CloneContainer.CONTAINER, "127.0.0.1");
    }

    void start(JobConf job) throws IOException {
        job.set(CloneKeys.TOOL, tool.toString());
        original.start(appMaster, job, List.of());
    }

    /** First asks whether it may be; until both run. */
    void cloneIt() throws Exception {
        appMaster.order(CloneOrder.prepare(1, CLONE));
        answer(CloneAnswer.Kind.ABLE);
        appMaster.order(CloneOrder.offer(2, CLONE, NONCE, StandInAppMaster.PATIENT));
        CloneAnswer offered = answer(CloneAnswer.Kind.OFFERED);
        clone.pull(tool, offered, OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE));
        answer(CloneAnswer.Kind.SENT);
        await(() -> appMaster.running.contains(cloned));
    }

    /** Asks only, and is refused. */
    CloneAnswer refused() throws Exception {
        appMaster.order(CloneOrder.prepare(1, CLONE));
        return answer(CloneAnswer.Kind.REFUSED);
    }

    private CloneAnswer answer(CloneAnswer.Kind expected) throws Exception {
        return appMaster.answer(expected, this::said);
    }

    void assertCloneCompletes() throws Exception {
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(cloned);
    }

    void assertOriginalCompletes() throws Exception {
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.done).hasSize(2);
        assertThat(appMaster.errors).isEmpty();
    }

    void await(Callable<Boolean> condition) throws IOException {
        try {
            Awaitility.await().atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(said(), e);
        }
    }

    private String said() throws IOException {
        return original.log() + clone.log();
    }

    @Override
    public void close() {
        original.close();
        clone.close();
        appMaster.close();
    }
}
