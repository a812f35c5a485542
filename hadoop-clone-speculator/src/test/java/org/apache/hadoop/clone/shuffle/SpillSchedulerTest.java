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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TestReduce;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

class SpillSchedulerTest {
    private static final int MAPS = 4;
    private static final int RUNNING = 0;

    @TempDir private Path dir;
    private final SpillIds ids = new SpillIds(new TaskAttemptID("1", 1, TaskType.MAP, 0, 0), MAPS);
    private SpillScheduler<?, ?> scheduler;
    private MapHost host;

    /** All maps have been at one host, and one still runs. */
    @BeforeEach
    void begin() throws IOException, InterruptedException {
        JobConf job = new JobConf();
        job.setNumMapTasks(MAPS);
        org.apache.hadoop.mapred.TaskAttemptID reduce =
                new org.apache.hadoop.mapred.TaskAttemptID("1", 1, TaskType.REDUCE, 0, 0);
        scheduler =
                new SpillScheduler<>(
                        new TestReduce(job, dir, reduce, null).context(),
                        Mockito.mock(ExceptionReporter.class));
        at(RUNNING, 0);
        at(RUNNING, 1);
        for (int map = 1; map < MAPS; map++) {
            at(map, 0);
            scheduler.apply(SpillUpdate.done(map, 1, 0, 5));
        }
        host = scheduler.getHost();
    }

    private void at(int map, int spill) {
        scheduler.apply(SpillUpdate.at(map, spill, 0, "http://host:13562"));
    }

    @AfterEach
    void end() throws InterruptedException {
        scheduler.close();
    }

    private List<Integer> refusedRequest() {
        List<TaskAttemptID> spills = scheduler.getMapsForHost(host);
        spills.forEach(spill -> scheduler.copyFailed(spill, host, false, false));
        spills.forEach(spill -> scheduler.putBackKnownMapOutput(host, spill));
        return spills.stream().map(ids::map).toList();
    }

    @Test
    void asksForEverythingAtOnce() {
        assertThat(refusedRequest()).containsExactly(RUNNING, RUNNING, 1, 2, 3);
    }

    @Test
    void asksAHostThatHasFailedForRunningMapsByThemselves() {
        refusedRequest();
        assertThat(refusedRequest()).containsExactly(RUNNING, RUNNING);
        assertThat(refusedRequest()).containsExactly(1, 2, 3);
        scheduler.apply(SpillUpdate.done(RUNNING, 2, 0, 5));
        assertThat(refusedRequest()).containsExactly(RUNNING, RUNNING, 1, 2, 3);
    }
}
