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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptFailEvent;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All orders in which original and clone can end, and commit, and be killed: a map of one job for
 * each. Whatever happens, every map succeeds once, and no clone counts as a failure.
 */
@Timeout(300)
class InterleavingsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What an attempt does, step by step. */
    private enum Ending {
        DONE(Step.DONE, Step.EXITS),
        DIES(Step.EXITS),
        KILLED(Step.KILLED),
        FAILS(Step.FAILS),
        COMMITS(Step.ASKS_TO_COMMIT, Step.COMMITS),
        DIES_BEFORE_COMMIT(Step.ASKS_TO_COMMIT, Step.EXITS);

        private final List<Step> steps;

        Ending(Step... steps) {
            this.steps = List.of(steps);
        }
    }

    private enum Step {
        DONE,
        EXITS,
        KILLED,
        FAILS,
        ASKS_TO_COMMIT,
        COMMITS
    }

    private record Act(boolean byClone, Step step) {}

    private CloningApp app;
    private Job job;

    /** A map with a clone. */
    private final class Pair {
        private final Task task;
        private final TaskAttemptId original;
        private TaskAttemptId clone;
        private CloneOrder order = CloneOrder.none();

        /** Whose process has said its last word. */
        private final Set<TaskAttemptId> ended = new HashSet<>();

        Pair(Task task) {
            this.task = task;
            InterleavingsTest.await().until(() -> task.getAttempts().size() == 1);
            original = task.getAttempts().keySet().iterator().next();
            awaitState(original, TaskAttemptState.RUNNING);
            InterleavingsTest.await().until(task::getState, TaskState.RUNNING::equals);
            app.orders.ask(wire(original), 0, Long.MAX_VALUE, answer -> {});
        }

        private void awaitState(TaskAttemptId attempt, TaskAttemptState state) {
            InterleavingsTest.await().until(() -> stateOf(attempt), state::equals);
        }

        private TaskAttemptState stateOf(TaskAttemptId attempt) {
            return task.getAttempt(attempt).getState();
        }

        private void nextOrder() {
            long seen = order.serial();
            await().until(
                            () ->
                                    app.orders
                                            .ask(wire(original), seen, Long.MAX_VALUE, answer -> {})
                                            .isPresent());
            order =
                    app.orders
                            .ask(wire(original), seen, Long.MAX_VALUE, answer -> {})
                            .orElseThrow();
        }

        private void answer(CloneAnswer answer) {
            app.coordinator().answered(wire(original), answer);
        }

        /** Leads its clone to that state. */
        void lead(CloneState to) throws IOException {
            app.coordinator().clone(original, CloningApp.WORTH_IT);
            nextOrder();
            answer(CloneAnswer.able(order.cloneId(), 0, 0));
            nextOrder();
            assertThat(order.kind()).isEqualTo(CloneOrder.Kind.OFFER);
            clone =
                    task.getAttempts().keySet().stream()
                            .filter(attempt -> !attempt.equals(original))
                            .findFirst()
                            .orElseThrow();
            for (CloneState next = CloneState.PULLING;
                    next.compareTo(to) <= 0;
                    next = CloneState.values()[next.ordinal() + 1]) {
                goOn(next);
            }
        }

        private void goOn(CloneState to) throws IOException {
            switch (to) {
                case PULLING -> {
                    answer(
                            CloneAnswer.offered(
                                    order.cloneId(),
                                    "h1:5000",
                                    new SourcePaths("/x/c", List.of("/x"), List.of("/l"))));
                    awaitState(clone, TaskAttemptState.RUNNING);
                }
                case FREEZING ->
                        assertThat(app.coordinator().mayFreeze(wire(original), order.cloneId(), 0))
                                .isEqualTo(FreezeLeave.GRANTED);
                case BECOMING -> become();
                case RUNNING -> app.coordinator().cloneRunning(wire(clone), order.cloneId());
                default -> throw new IllegalArgumentException(to.toString());
            }
        }

        private void become() throws IOException {
            String container = task.getAttempt(clone).getAssignedContainerID().toString();
            app.coordinator().becomeClone(wire(original), order.cloneId(), container);
        }

        /** The clone's process goes on as if nothing had been; it may be turned away. */
        void cloneGoesOn() {
            try {
                answer(
                        CloneAnswer.offered(
                                order.cloneId(),
                                "h1:5000",
                                new SourcePaths("/x/c", List.of("/x"), List.of("/l"))));
                app.coordinator().mayFreeze(wire(original), order.cloneId(), 0);
                become();
                app.coordinator().cloneRunning(wire(clone), order.cloneId());
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("no more");
                // It halts.
                perform(clone, Step.EXITS);
            }
        }

        void perform(Act act) {
            perform(act.byClone ? clone : original, act.step);
        }

        private void perform(TaskAttemptId attempt, Step step) {
            if (step != Step.ASKS_TO_COMMIT && step != Step.COMMITS) {
                ended.add(attempt);
            }
            switch (step) {
                case DONE -> app.tell(attempt, TaskAttemptEventType.TA_DONE);
                case EXITS -> app.tell(attempt, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
                case KILLED -> app.tell(attempt, TaskAttemptEventType.TA_KILL);
                case FAILS -> app.send(new TaskAttemptFailEvent(attempt));
                case ASKS_TO_COMMIT -> {
                    app.tell(attempt, TaskAttemptEventType.TA_COMMIT_PENDING);
                    await().until(() -> stateOf(attempt) != TaskAttemptState.RUNNING);
                }
                case COMMITS -> commit(attempt);
            }
        }

        /** As long as it may not, it asks again; so this may be all that it ever does. */
        private void commit(TaskAttemptId attempt) {
            if (stateOf(attempt) == TaskAttemptState.COMMIT_PENDING
                    && task.canCommit(attempt)
                    && ended.add(attempt)) {
                app.tell(attempt, TaskAttemptEventType.TA_DONE);
                app.tell(attempt, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
            }
        }

        private long committers() {
            return task.getAttempts().keySet().stream().filter(one -> task.canCommit(one)).count();
        }

        /** Whatever still runs goes on to its end, and so does what takes its place. */
        boolean finish(boolean committing) {
            for (TaskAttempt attempt : List.copyOf(task.getAttempts().values())) {
                TaskAttemptId id = attempt.getID();
                if (attempt.getState() == TaskAttemptState.RUNNING && !ended.contains(id)) {
                    perform(id, committing ? Step.ASKS_TO_COMMIT : Step.DONE);
                } else if (attempt.getState() == TaskAttemptState.COMMIT_PENDING) {
                    commit(id);
                }
            }
            // It may pass from one to the other within a look, but not twice.
            assertThat(Math.min(committers(), committers())).isLessThan(2);
            return task.getState() == TaskState.SUCCEEDED;
        }
    }

    private static ConditionFactory await() {
        return org.awaitility.Awaitility.await()
                .atMost(PATIENCE)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2));
    }

    private static TaskAttemptID wire(TaskAttemptId attempt) {
        return TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt));
    }

    @AfterEach
    void stop() {
        app.stop();
    }

    private Iterator<Task> start(int maps) throws Exception {
        app = new CloningApp(maps, getClass().getSimpleName(), "h1", "h2", "h3");
        Configuration conf = new Configuration();
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
        job = app.submit(conf);
        await().until(job::getState, JobState.RUNNING::equals);
        return job.getTasks().values().iterator();
    }

    @Test
    void withoutFilesToCommit() throws Exception {
        assertEveryOrderEndsWell(
                false, List.of(Ending.DONE, Ending.DIES, Ending.KILLED, Ending.FAILS));
    }

    @Test
    void withFilesToCommit() throws Exception {
        assertEveryOrderEndsWell(
                true,
                List.of(Ending.COMMITS, Ending.DIES_BEFORE_COMMIT, Ending.DIES, Ending.KILLED));
    }

    private void assertEveryOrderEndsWell(boolean committing, List<Ending> endings)
            throws Exception {
        List<List<Act>> scripts =
                endings.stream()
                        .flatMap(
                                first ->
                                        endings.stream()
                                                .flatMap(then -> merges(first.steps, then.steps)))
                        .toList();
        Iterator<Task> tasks = start(scripts.size());
        List<Pair> pairs = new ArrayList<>();
        for (List<Act> script : scripts) {
            Pair pair = new Pair(tasks.next());
            pair.lead(CloneState.RUNNING);
            script.forEach(pair::perform);
            await().alias(script.toString()).until(() -> pair.finish(committing));
            pairs.add(pair);
        }
        assertEndsWell(pairs);
        assertThat(job.getAllCounters().findCounter(CloneCounter.CLONES_RUNNING).getValue())
                .isEqualTo(scripts.size());
    }

    /** All orders of the original's and the clone's steps in which each one's stay in order. */
    private static Stream<List<Act>> merges(List<Step> original, List<Step> clone) {
        if (original.isEmpty() && clone.isEmpty()) {
            return Stream.of(List.of());
        }
        Stream<List<Act>> all = Stream.empty();
        if (!original.isEmpty()) {
            all =
                    before(
                            new Act(false, original.get(0)),
                            merges(original.subList(1, original.size()), clone));
        }
        if (!clone.isEmpty()) {
            all =
                    Stream.concat(
                            all,
                            before(
                                    new Act(true, clone.get(0)),
                                    merges(original, clone.subList(1, clone.size()))));
        }
        return all;
    }

    private static Stream<List<Act>> before(Act first, Stream<List<Act>> rest) {
        return rest.map(
                acts -> {
                    List<Act> longer = new ArrayList<>(List.of(first));
                    longer.addAll(acts);
                    return longer;
                });
    }

    /** The process that should become the clone comes all the same, and too late. */
    @Test
    void whileTheCloneIsMade() throws Exception {
        List<Ending> endings = List.of(Ending.DONE, Ending.DIES, Ending.KILLED);
        List<List<Act>> scripts =
                Stream.concat(
                                endings.stream()
                                        .flatMap(
                                                one ->
                                                        Stream.of(
                                                                merges(one.steps, List.of()),
                                                                merges(List.of(), one.steps)))
                                        .flatMap(merged -> merged)
                                        .filter(
                                                script ->
                                                        !script.get(0)
                                                                .equals(new Act(true, Step.DONE))),
                                endings.stream()
                                        .flatMap(
                                                one ->
                                                        Stream.concat(
                                                                merges(
                                                                        one.steps,
                                                                        Ending.DIES.steps),
                                                                merges(
                                                                        one.steps,
                                                                        Ending.KILLED.steps))))
                        .toList();
        List<CloneState> states =
                List.of(CloneState.PULLING, CloneState.FREEZING, CloneState.BECOMING);
        Iterator<Task> tasks = start(scripts.size() * states.size());
        List<Pair> pairs = new ArrayList<>();
        for (CloneState state : states) {
            for (List<Act> script : scripts) {
                Pair pair = new Pair(tasks.next());
                pair.lead(state);
                script.forEach(pair::perform);
                pair.cloneGoesOn();
                await().alias(state + " " + script).until(() -> pair.finish(false));
                pairs.add(pair);
            }
        }
        assertEndsWell(pairs);
    }

    private void assertEndsWell(List<Pair> pairs) {
        await().until(job::getState, JobState.SUCCEEDED::equals);
        assertThat(job.getCompletedMaps()).isEqualTo(pairs.size());
        for (Pair pair : pairs) {
            assertThat(
                            pair.task.getAttempts().values().stream()
                                    .filter(one -> one.getState() == TaskAttemptState.SUCCEEDED))
                    .as(pair.task.toString())
                    .isNotEmpty();
            assertThat(pair.stateOf(pair.clone))
                    .as("clone %s", pair.clone)
                    .isIn(TaskAttemptState.SUCCEEDED, TaskAttemptState.KILLED);
        }
    }
}
