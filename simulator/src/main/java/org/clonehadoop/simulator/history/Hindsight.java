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
package org.clonehadoop.simulator.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.Program;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.trouble.Trouble;

/**
 * A job that is over, as one that can be simulated again. First attempts are as slow as they were,
 * where they were; second ones go at the usual pace. Hosts share nothing, since what they shared is
 * in the attempts' times already.
 */
final class Hindsight {
    private static final double PLENTY = 1e6;

    /** Reduces handle records in the last third of their progress. */
    private static final double REDUCES_FROM = 2 / 3.0;

    /** Maps before reduces do it in the first two thirds, others all the time. */
    private static final double MAPS_TO = 2 / 3.0;

    private final PastJob job;
    private final Map<Boolean, Pace> paces = new HashMap<>();

    Hindsight(PastJob job) {
        this.job = job;
        paces.put(true, Pace.of(job.of(true)));
        if (job.reduces() > 0) {
            paces.put(false, Pace.of(job.of(false)));
        }
    }

    Pace pace(PastAttempt attempt) {
        return paces.get(attempt.map());
    }

    /** With what clones cost as they were measured. */
    JobSpec spec() {
        Map<String, List<PastAttempt>> byHost =
                job.attempts().stream().collect(Collectors.groupingBy(PastAttempt::host));
        int containers =
                1 + byHost.values().stream().mapToInt(Hindsight::mostAtOnce).max().orElseThrow();
        double megabytes = Math.max(1, paces.get(true).megabytes()) * job.maps();
        return new JobSpec(
                program(megabytes),
                megabytes,
                job.maps(),
                job.reduces(),
                true,
                byHost.size(),
                new HostSpec(containers, PLENTY, PLENTY, containers),
                CostBook.measured(),
                Map.of(),
                List.of(new AsItWas()));
    }

    private Program program(double megabytes) {
        double passedOn =
                job.reduces() == 0 ? 0 : Math.max(1, paces.get(false).megabytes()) * job.reduces();
        return new Program(
                job.name(),
                workSeconds(true) * job.maps() / megabytes,
                passedOn / megabytes,
                job.reduces() == 0 ? 0 : workSeconds(false) * job.reduces() / passedOn,
                1);
    }

    /** Of a usual attempt, without its JVM's start. */
    private double workSeconds(boolean map) {
        return Math.max(
                0.1, paces.get(map).workMillis() / 1e3 - CostBook.measured().jvmCpuSeconds());
    }

    private static int mostAtOnce(List<PastAttempt> attempts) {
        return attempts.stream()
                .mapToInt(
                        one ->
                                (int)
                                        attempts.stream()
                                                .filter(
                                                        other ->
                                                                other.startMillis()
                                                                                <= one.startMillis()
                                                                        && other.finishMillis()
                                                                                > one.startMillis())
                                                .count())
                .max()
                .orElse(1);
    }

    private final class AsItWas implements Trouble {
        /** Of tasks' first attempts. */
        private final Map<String, List<Double>> brakes = new HashMap<>();

        private final Map<String, PastAttempt> winners = new HashMap<>();

        AsItWas() {
            for (PastAttempt attempt : job.attempts()) {
                String task = key(attempt.map(), attempt.task());
                brakes.computeIfAbsent(task, none -> brakes(attempt));
                if (attempt.won()) {
                    winners.put(task, attempt);
                }
            }
        }

        private static String key(boolean map, int task) {
            return (map ? "m" : "r") + task;
        }

        private static String key(TaskId task) {
            return key(task.getTaskType() == TaskType.MAP, task.getId());
        }

        @Override
        public double brake(TaskAttemptId attempt, double done, Draws draws) {
            List<Double> its = brakes.get(key(attempt.getTaskId()));
            if (attempt.getId() > 0 || its == null) {
                return 1;
            }
            boolean map = attempt.getTaskId().getTaskType() == TaskType.MAP;
            double progress = from(map) + (to(map) - from(map)) * done;
            return its.get(Math.min(its.size() - 1, (int) (progress * its.size())));
        }

        private List<Double> brakes(PastAttempt was) {
            Pace pace = pace(was);
            int parts = pace.splits().size();
            return pace.brakes(
                    was,
                    (int) Math.round(from(was.map()) * parts),
                    (int) Math.round(to(was.map()) * parts));
        }

        /** Where in their progress attempts of the kind handle records. */
        private double from(boolean map) {
            return map ? 0 : REDUCES_FROM;
        }

        private double to(boolean map) {
            return map && job.reduces() > 0 ? MAPS_TO : 1;
        }

        @Override
        public double size(TaskId task, Draws draws) {
            PastAttempt winner = winners.get(key(task));
            return winner == null ? 1 : pace(winner).size(winner);
        }
    }
}
