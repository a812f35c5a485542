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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.ReduceAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;

/**
 * A job that is over, as its JobHistory file remembers it.
 *
 * @param seconds from its submission to its end
 * @param attempts that had a container: maps first, by number
 */
record PastJob(String id, String name, double seconds, List<PastAttempt> attempts) {
    private static final double MEGABYTE = 1 << 20;

    /**
     * @param file {@code job_….jhist}, on any file system that Hadoop knows here
     * @throws IOException if it is no such file, or its job didn't succeed
     */
    static PastJob read(Path file) throws IOException {
        FileSystem files = file.getFileSystem(new Configuration());
        JobInfo job = parse(files, file);
        if (!"SUCCEEDED".equals(job.getJobStatus())) {
            throw new IOException(file + ": not of a job that has succeeded");
        }
        long mapsEnd =
                winners(job, TaskType.MAP)
                        .mapToLong(TaskAttemptInfo::getFinishTime)
                        .max()
                        .orElse(job.getLaunchTime());
        Map<TaskAttemptID, List<Integer>> splits = splits(files, file);
        List<PastAttempt> attempts = new ArrayList<>();
        for (TaskInfo task : job.getAllTasks().values()) {
            for (TaskAttemptInfo attempt : task.getAllTaskAttempts().values()) {
                if (isWork(attempt)) {
                    attempts.add(attempt(attempt, task, job, mapsEnd, splits));
                }
            }
        }
        attempts.sort(
                Comparator.comparing((PastAttempt attempt) -> !attempt.map())
                        .thenComparing(PastAttempt::task)
                        .thenComparing(PastAttempt::number));
        return new PastJob(
                job.getJobId().toString(),
                job.getJobname(),
                (job.getFinishTime() - job.getSubmitTime()) / 1e3,
                List.copyOf(attempts));
    }

    private static JobInfo parse(FileSystem files, Path file) throws IOException {
        try {
            return new JobHistoryParser(files, file).parse();
        } catch (IOException e) {
            throw new IOException(file + ": no JobHistory file: " + e.getMessage(), e);
        }
    }

    private static Stream<TaskAttemptInfo> winners(JobInfo job, TaskType kind) {
        return job.getAllTasks().values().stream()
                .filter(task -> task.getTaskType() == kind)
                .map(task -> task.getAllTaskAttempts().get(task.getSuccessfulAttemptId()))
                .filter(attempt -> attempt != null);
    }

    /** Of a task, not of the job's set-up, and begun. */
    private static boolean isWork(TaskAttemptInfo attempt) {
        return (attempt.getTaskType() == TaskType.MAP || attempt.getTaskType() == TaskType.REDUCE)
                && attempt.getStartTime() > 0;
    }

    private static PastAttempt attempt(
            TaskAttemptInfo attempt,
            TaskInfo task,
            JobInfo job,
            long mapsEnd,
            Map<TaskAttemptID, List<Integer>> splits) {
        TaskAttemptID id = attempt.getAttemptId();
        boolean map = attempt.getTaskType() == TaskType.MAP;
        // One that was being killed as the job ended has no end of its own.
        long finish = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : job.getFinishTime();
        long workBegin = map ? attempt.getStartTime() : Math.max(attempt.getStartTime(), mapsEnd);
        return new PastAttempt(
                id.toString(),
                map,
                id.getTaskID().getId(),
                id.getId(),
                attempt.getHostname() == null ? attempt.getTrackerName() : attempt.getHostname(),
                id.equals(task.getSuccessfulAttemptId()),
                attempt.getStartTime(),
                finish,
                Math.max(0, finish - workBegin),
                megabytes(attempt.getCounters(), map),
                splits.getOrDefault(id, List.of()));
    }

    private static double megabytes(Counters counters, boolean map) {
        if (counters == null) {
            return 0;
        }
        return (map
                                ? counters.findCounter("HDFS", FileSystemCounter.BYTES_READ)
                                : counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES))
                        .getValue()
                / MEGABYTE;
    }

    /** Hadoop's own parser reads over them. */
    private static Map<TaskAttemptID, List<Integer>> splits(FileSystem files, Path file)
            throws IOException {
        Map<TaskAttemptID, List<Integer>> splits = new HashMap<>();
        try (EventReader events = new EventReader(files, file)) {
            for (HistoryEvent event = events.getNextEvent();
                    event != null;
                    event = events.getNextEvent()) {
                if (event instanceof MapAttemptFinishedEvent ended) {
                    splits.put(ended.getAttemptId(), known(ended.getClockSplits()));
                } else if (event instanceof ReduceAttemptFinishedEvent ended) {
                    splits.put(ended.getAttemptId(), known(ended.getClockSplits()));
                } else if (event instanceof TaskAttemptUnsuccessfulCompletionEvent ended) {
                    splits.put(ended.getTaskAttemptId(), known(ended.getClockSplits()));
                }
            }
        }
        return splits;
    }

    private static List<Integer> known(int[] splits) {
        return Arrays.stream(splits == null ? new int[0] : splits)
                .takeWhile(millis -> millis >= 0)
                .boxed()
                .toList();
    }

    int maps() {
        return tasks(true);
    }

    int reduces() {
        return tasks(false);
    }

    private int tasks(boolean map) {
        return (int) of(map).mapToInt(PastAttempt::task).distinct().count();
    }

    Stream<PastAttempt> of(boolean map) {
        return attempts.stream().filter(attempt -> attempt.map() == map);
    }

    /** From the first attempt's start to the last one's end. */
    double workSeconds() {
        long begin = attempts.stream().mapToLong(PastAttempt::startMillis).min().orElseThrow();
        long end =
                attempts.stream()
                        .filter(PastAttempt::won)
                        .mapToLong(PastAttempt::finishMillis)
                        .max()
                        .orElseThrow();
        return (end - begin) / 1e3;
    }

    /** Attempts that were begun beside another one of their task that ran. */
    List<PastAttempt> backups() {
        return attempts.stream().filter(this::isBackup).toList();
    }

    private boolean isBackup(PastAttempt attempt) {
        return attempts.stream()
                .anyMatch(
                        other ->
                                other.map() == attempt.map()
                                        && other.task() == attempt.task()
                                        && other.number() < attempt.number()
                                        && other.finishMillis() > attempt.startMillis());
    }
}
