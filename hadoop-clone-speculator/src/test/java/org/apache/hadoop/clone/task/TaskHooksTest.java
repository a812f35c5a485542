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
import static org.assertj.core.api.Assertions.assertThatCode;

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever a hook finds, the task that calls it goes on. */
@Isolated("the hooks are those of the whole JVM")
class TaskHooksTest {
    private static final String APP_MASTER = "appMaster";

    @BeforeEach
    void install() {
        Fields.set(TaskHooks.class, APP_MASTER, "localhost:1");
        Fields.set(TaskHooks.class, "ownJob", TaskJvm.ATTEMPT.getJobID());
    }

    @AfterEach
    void remove() {
        Fields.set(TaskHooks.class, APP_MASTER, null);
    }

    @Test
    void aTaskThatIsNotAsItWasTakenForStaysAsItIs() {
        Object before = Fields.of(Merger.class, "lDirAlloc");
        assertThatCode(() -> TaskHooks.reduceStarts(new Object(), new JobConf(false)))
                .doesNotThrowAnyException();
        assertThatCode(() -> TaskHooks.mapStarts(new Object(), new JobConf(false)))
                .doesNotThrowAnyException();
        Object after = Fields.of(Merger.class, "lDirAlloc");
        assertThat(after).isSameAs(before);
    }

    /** By LocalJobRunner, which looks for its maps' outputs where stock puts them. */
    @Test
    void aTaskOfAJobWithinThisOneStaysAsItIs() {
        TaskAttemptID nested = new TaskAttemptID("local1", 1, TaskType.MAP, 0, 0);
        TaskHooks.starts(
                task(nested),
                "map",
                () -> {
                    throw new AssertionError("it was taken over");
                });
    }

    private static Task task(TaskAttemptID attempt) {
        return new MapTask("", attempt, 0, new JobSplit.TaskSplitIndex(), 1);
    }

    @Test
    void aHadoopThatDoesNotLinkFailsNoTask() {
        assertThatCode(
                        () ->
                                TaskHooks.starts(
                                        task(TaskJvm.ATTEMPT),
                                        "map",
                                        () -> {
                                            throw new NoSuchMethodError("of another Hadoop");
                                        }))
                .doesNotThrowAnyException();
    }
}
