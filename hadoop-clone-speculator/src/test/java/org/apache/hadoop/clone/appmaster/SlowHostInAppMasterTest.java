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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where an attempt begins that is no backup: Hadoop's real state machines. */
@Timeout(180)
class SlowHostInAppMasterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicLong now = new AtomicLong(1_000_000);
    private CloningApp app;

    @AfterEach
    void stop() {
        app.stop();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }

    /** The last map is killed, which is nobody's fault, and begins anew. */
    @Test
    void aContainerOnAHostThatIsKnownToBeSlowIsGivenBack() throws Exception {
        Job job = submit("h1", "h2", "h3", "h1", "h2");
        List<TaskAttempt> first = job.getTasks().values().stream().map(this::running).toList();
        TaskAttemptId killed = killOneWhereH1IsSlow(first);

        Task task = job.getTask(killed.getTaskId());
        await().until(() -> task.getAttempts().size() == 2);
        TaskAttempt again = running(task);
        assertThat(app.givenBack).containsExactly(again.getID());
        assertThat(hostOf(again)).isEqualTo("h2");
        assertThat(app.requests.get(app.requests.size() - 1).getHosts())
                .containsExactlyInAnyOrder("h2", "h3");
        await().until(
                        () ->
                                job.getAllCounters()
                                                .findCounter(CloneCounter.CONTAINERS_GIVEN_BACK)
                                                .getValue()
                                        == 1);
    }

    @Test
    void aKeyTurnsItOff() throws Exception {
        Configuration conf = new Configuration();
        conf.setBoolean(CloneKeys.AVOID_SLOW_HOSTS, false);
        Job job = submit(conf, "h1", "h2", "h3", "h1");
        List<TaskAttempt> first = job.getTasks().values().stream().map(this::running).toList();
        TaskAttemptId killed = killOneWhereH1IsSlow(first);

        Task task = job.getTask(killed.getTaskId());
        await().until(() -> task.getAttempts().size() == 2);
        assertThat(hostOf(running(task))).isEqualTo("h1");
        assertThat(app.givenBack).isEmpty();
    }

    /** It was given its straggler's host eleven times, and doesn't ask again before one ends. */
    @Test
    void aContainerThatComesFreeElsewhereIsAskedFor() throws Exception {
        List<String> hosts = new ArrayList<>(List.of("h1", "h2", "h3"));
        hosts.addAll(Collections.nCopies(11, "h1"));
        hosts.add("h2");
        Job job = submit(hosts.toArray(String[]::new));
        List<TaskAttempt> first = job.getTasks().values().stream().map(this::running).toList();
        now.addAndGet(100_000);
        Task straggling = job.getTask(on("h1", first).getTaskId());
        app.send(new TaskEvent(straggling.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> app.givenBack.size() == 11);
        assertThat(app.requests).hasSize(14);

        // As if its last container had been lost while it was given back.
        app.tell(app.givenBack.get(1), TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        TaskAttemptId other = on("h2", first);
        app.tell(other, TaskAttemptEventType.TA_DONE);
        app.tell(other, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        await().until(() -> app.requests.size() == 15);
        assertThat(hostOf(running(straggling))).isEqualTo("h2");
        assertThat(job.getState()).isEqualTo(JobState.RUNNING);
    }

    /** It is asked for at once again, with that host withheld, and given back. */
    @Test
    void asLongAsItWaitsTheSlowHostIsWithheld() throws Exception {
        Job job = submit("h1", "h2", "h3", "h1", "h1", "h2");
        List<TaskAttempt> first = job.getTasks().values().stream().map(this::running).toList();
        TaskAttemptId killed = killOneWhereH1IsSlow(first);
        Task task = job.getTask(killed.getTaskId());
        await().until(() -> app.requests.size() == 6);
        assertThat(hostOf(running(task))).isEqualTo("h2");
        assertThat(app.givenBack).hasSize(2);
        assertThat(app.withheld)
                .containsExactly(
                        Set.of(), Set.of(), Set.of(), Set.of(), Set.of("h1"), Set.of("h1"));
        assertThat(app.placement().withheld()).isEmpty();
    }

    private Job submit(String... hosts) throws Exception {
        return submit(new Configuration(), hosts);
    }

    private Job submit(Configuration conf, String... hosts) throws Exception {
        app = new CloningApp(3, 0, now::get, getClass().getSimpleName(), hosts);
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
        Job job = app.submit(conf);
        await().until(() -> app.launched.size() == 3);
        return job;
    }

    /** Maps on h1 are a fifth as fast; the one on h3 is killed, and begins anew. */
    private TaskAttemptId killOneWhereH1IsSlow(List<TaskAttempt> first) {
        now.addAndGet(100_000);
        for (TaskAttempt attempt : first) {
            report(attempt, hostOf(attempt).equals("h1") ? 0.1f : 0.5f);
        }
        TaskAttemptId killed = on("h3", first);
        app.tell(killed, TaskAttemptEventType.TA_KILL);
        return killed;
    }

    private static TaskAttemptId on(String host, List<TaskAttempt> attempts) {
        return attempts.stream()
                .filter(attempt -> hostOf(attempt).equals(host))
                .findFirst()
                .orElseThrow()
                .getID();
    }

    /** Its last attempt. */
    private TaskAttempt running(Task task) {
        TaskAttemptId last =
                task.getAttempts().keySet().stream()
                        .max(Comparator.comparingInt(TaskAttemptId::getId))
                        .orElseThrow();
        await().until(task.getAttempt(last)::getState, TaskAttemptState.RUNNING::equals);
        return task.getAttempt(last);
    }

    private static String hostOf(TaskAttempt attempt) {
        return attempt.getNodeId().getHost();
    }

    private void report(TaskAttempt attempt, float progress) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt.getID();
        status.phase = Phase.MAP;
        status.taskState = TaskAttemptState.RUNNING;
        status.stateString = "map";
        status.progress = progress;
        status.counters = new Counters();
        app.send(new TaskAttemptStatusUpdateEvent(attempt.getID(), new AtomicReference<>(status)));
        await().until(() -> attempt.getProgress() == progress);
    }
}
