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
package org.clonehadoop.simulator.mapreduce;

import static org.apache.hadoop.mapreduce.v2.api.records.TaskType.REDUCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.clonehadoop.benchmarks.feed.FeedPlayer;
import org.clonehadoop.simulator.cloning.NoClones;
import org.clonehadoop.simulator.platform.HostSpec;
import org.junit.jupiter.api.Test;

class SimAppMasterTest {
    private static final JobSpec ONE_MAP =
            JobSpec.ofThePaper()
                    .withMegabytes(512)
                    .withTasks(1, 0)
                    .withHosts(2, new HostSpec(4, 1000, 1000, 4));

    /** Hears everything, and orders nothing. */
    private static class Listener implements FeedPlayer.Listener {
        final List<Long> reports = new ArrayList<>();
        long started;

        @Override
        public void handle(SpeculatorEvent event) {
            if (event.getType() == Speculator.EventType.ATTEMPT_START) {
                started = event.getTimestamp();
            }
            if (event.getType() == Speculator.EventType.ATTEMPT_STATUS_UPDATE) {
                reports.add(event.getTimestamp());
            }
        }

        @Override
        public void look() {}
    }

    /** Orders another attempt of the first map at one moment, and keeps the job in sight. */
    private static final class OneOrder extends Listener {
        private final AppContext context;
        private final long atMillis;

        OneOrder(AppContext context, long atMillis) {
            this.context = context;
            this.atMillis = atMillis;
        }

        @Override
        public void look() {
            if (context.getClock().getTime() == atMillis) {
                context.getEventHandler()
                        .handle(new TaskEvent(map().getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
            }
        }

        Task map() {
            return job().getTasks(TaskType.MAP).values().iterator().next();
        }

        private Job job() {
            return context.getAllJobs().values().iterator().next();
        }

        Optional<TaskAttempt> second() {
            return map().getAttempts().values().stream()
                    .filter(attempt -> attempt.getID().getId() == 1)
                    .findFirst();
        }
    }

    private static RunRecord run(JobSpec spec, Listener listener) {
        return SimCluster.runAlone(
                spec, 1, (site, conf) -> new NoClones(), (conf, context, cloner) -> listener);
    }

    /**
     * One map and one reduce.
     *
     * @param reported hears what the reduce reports
     */
    private static void runWithReduce(Consumer<TaskAttemptStatus> reported) {
        run(
                ONE_MAP.withTasks(1, 1).withHosts(2, new HostSpec(4, 40, 1000, 4)),
                new Listener() {
                    @Override
                    public void handle(SpeculatorEvent event) {
                        TaskAttemptStatus status = event.getReportedStatus();
                        if (status != null && status.id.getTaskId().getTaskType() == REDUCE) {
                            reported.accept(status);
                        }
                    }
                });
    }

    @Test
    void tasksReportEverySixSecondsUnlessTheJobSaysOtherwise() {
        Listener usual = new Listener();
        Listener often = new Listener();

        run(ONE_MAP, usual);
        run(ONE_MAP.withConf(Map.of("mapreduce.task.timeout", "100000")), often);

        assertThat(usual.reports).hasSizeGreaterThan(5);
        assertThat(usual.reports.get(3) - usual.reports.get(2)).isEqualTo(6000);
        assertThat(often.reports.get(3) - often.reports.get(2)).isEqualTo(1000);
    }

    /** With its first look a task's reporter sees no progress, so the first interval tells none. */
    @Test
    void aTasksFirstReportComesAfterTwoIntervals() {
        Listener map = new Listener();

        run(ONE_MAP, map);

        long jvm = 1300; // milliseconds until it asks for the task: half of what it takes
        assertThat(map.reports.get(0) - map.started - 2 * 6000).isBetween(jvm, jvm + 1);
        assertThat(map.reports.get(1) - map.reports.get(0)).isEqualTo(6000);
    }

    /**
     * As in Hadoop: the task says at once that it merges, and its progress with its next report.
     */
    @Test
    void aNewPhaseIsToldWithTheProgressOfTheReportBefore() {
        List<TaskAttemptStatus> told = new ArrayList<>();

        runWithReduce(told::add);

        List<Phase> phases = told.stream().map(status -> status.phase).distinct().toList();
        assertThat(phases).containsSubsequence(Phase.SHUFFLE, Phase.SORT, Phase.REDUCE);
        for (int i = 1; i < told.size(); i++) {
            if (told.get(i).phase != told.get(i - 1).phase && told.get(i - 1).phase != null) {
                assertThat(told.get(i).progress).isEqualTo(told.get(i - 1).progress);
            }
        }
    }

    /** As the product sizes a map: by what it has read over its progress. */
    @Test
    void aMapWithoutReducesHasReadAsMuchOfItsInputAsItSaysItHasDone() {
        List<Double> inputs = new ArrayList<>();
        List<Long> written = new ArrayList<>();

        run(
                ONE_MAP,
                new Listener() {
                    @Override
                    public void handle(SpeculatorEvent event) {
                        TaskAttemptStatus status = event.getReportedStatus();
                        if (status != null && status.counters != null && status.progress > 0) {
                            inputs.add(
                                    status.counters
                                                    .findCounter(
                                                            "hdfs", FileSystemCounter.BYTES_READ)
                                                    .getValue()
                                            / (double) status.progress);
                            written.add(
                                    status.counters
                                            .findCounter("file", FileSystemCounter.BYTES_WRITTEN)
                                            .getValue());
                        }
                    }
                });

        assertThat(inputs).hasSizeGreaterThan(5);
        assertThat(inputs)
                .allSatisfy(input -> assertThat(input).isCloseTo(inputs.get(0), within(1e5)));
        assertThat(written).containsOnly(0L);
    }

    /** A clone carries it, and is as dear as that. */
    @Test
    void aReduceReportsWhatItHasWrittenAsMapsDo() {
        List<Long> fetched = new ArrayList<>();
        List<Long> written = new ArrayList<>();

        runWithReduce(
                status -> {
                    if (status.counters != null) {
                        fetched.add(
                                status.counters
                                        .findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)
                                        .getValue());
                        written.add(
                                status.counters
                                        .findCounter("file", FileSystemCounter.BYTES_WRITTEN)
                                        .getValue());
                    }
                });

        assertThat(written).isEqualTo(fetched).last().isEqualTo(512L << 20);
    }

    /**
     * Whatever the moment of the order and of the end, among them some whose attempt is killed
     * before its launch.
     */
    @Test
    void anAttemptThatIsKilledBeforeItsLaunchThrowsAwayWhatItsContainerWasHeld() {
        int killedBeforeLaunch = 0;
        for (long seconds = 55; seconds < 70; seconds++) {
            for (int part = 0; part < 5; part++) {
                double megabytes = ONE_MAP.megabytes() * (1 + part / 200.0);
                AtomicReference<OneOrder> order = new AtomicReference<>();
                long at = SimCluster.BEGIN + 1000 * seconds;
                RunRecord run =
                        SimCluster.runAlone(
                                ONE_MAP.withMegabytes(megabytes),
                                1,
                                (site, conf) -> new NoClones(),
                                (conf, context, cloner) -> {
                                    order.set(new OneOrder(context, at));
                                    return order.get();
                                });
                Optional<TaskAttempt> second = order.get().second();
                if (second.filter(one -> one.getNodeId() != null && one.getLaunchTime() == 0)
                        .isPresent()) {
                    killedBeforeLaunch++;
                    assertThat(run.thrownAwaySeconds()).isBetween(0.0, 0.5);
                }
            }
        }
        assertThat(killedBeforeLaunch).isPositive();
    }
}
