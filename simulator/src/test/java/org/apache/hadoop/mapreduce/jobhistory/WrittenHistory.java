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
package org.apache.hadoop.mapreduce.jobhistory;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;

/** Writes a job's history with Hadoop's own writer, as its AppMaster does. Times in seconds. */
public final class WrittenHistory implements Closeable {
    private static final JobID JOB = new JobID("1700000000000", 7);
    private static final long EPOCH = 1_700_000_000_000L;
    private static final Counters NONE = new Counters();

    private final EventWriter writer;

    public WrittenHistory(Path file, int maps, int reduces) throws IOException {
        writer =
                new EventWriter(
                        FileSystem.getLocal(new Configuration()).create(file),
                        EventWriter.WriteMode.JSON);
        writer.write(
                new JobSubmittedEvent(JOB, "sort", "user", EPOCH, "job.xml", Map.of(), "default"));
        writer.write(new JobInitedEvent(JOB, millis(5), maps, reduces, "INITED", false));
    }

    private static long millis(double seconds) {
        return EPOCH + Math.round(1000 * seconds);
    }

    private static TaskAttemptID attempt(TaskType kind, int task, int number) {
        return new TaskAttemptID(new TaskID(JOB, kind, task), number);
    }

    /** Of any kind. */
    private void begin(TaskAttemptID attempt, double start, String host) throws IOException {
        TaskType kind = attempt.getTaskType();
        if (attempt.getId() == 0) {
            writer.write(new TaskStartedEvent(attempt.getTaskID(), millis(start), kind, ""));
        }
        writer.write(
                new TaskAttemptStartedEvent(
                        attempt, kind, millis(start), host + ":8041", 8042, 13562, "", ""));
    }

    private void end(TaskAttemptID attempt, double end) throws IOException {
        writer.write(
                new TaskFinishedEvent(
                        attempt.getTaskID(),
                        attempt,
                        millis(end),
                        attempt.getTaskType(),
                        "SUCCEEDED",
                        NONE,
                        EPOCH));
    }

    /**
     * A map that won.
     *
     * @param splits milliseconds for each twelfth of its progress
     */
    public void map(
            int task, int number, String host, double start, double end, long bytes, int... splits)
            throws IOException {
        TaskAttemptID attempt = attempt(TaskType.MAP, task, number);
        Counters counters = new Counters();
        counters.findCounter("HDFS", FileSystemCounter.BYTES_READ).setValue(bytes);
        begin(attempt, start, host);
        writer.write(
                new MapAttemptFinishedEvent(
                        attempt,
                        TaskType.MAP,
                        "SUCCEEDED",
                        millis(end),
                        millis(end),
                        host,
                        8041,
                        "/rack",
                        "map > sort",
                        counters,
                        burst(splits),
                        millis(start)));
        end(attempt, end);
    }

    /** A map that was killed. */
    public void killedMap(
            int task, int number, String host, double start, double end, int... splits)
            throws IOException {
        TaskAttemptID attempt = attempt(TaskType.MAP, task, number);
        begin(attempt, start, host);
        writer.write(
                new TaskAttemptUnsuccessfulCompletionEvent(
                        attempt,
                        TaskType.MAP,
                        "KILLED",
                        millis(end),
                        host,
                        8041,
                        "/rack",
                        "",
                        NONE,
                        burst(splits),
                        millis(start)));
    }

    /** A reduce that won. */
    public void reduce(int task, String host, double start, double fetched, double end, long bytes)
            throws IOException {
        TaskAttemptID attempt = attempt(TaskType.REDUCE, task, 0);
        Counters counters = new Counters();
        counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).setValue(bytes);
        begin(attempt, start, host);
        writer.write(
                new ReduceAttemptFinishedEvent(
                        attempt,
                        TaskType.REDUCE,
                        "SUCCEEDED",
                        millis(fetched),
                        millis(fetched),
                        millis(end),
                        host,
                        8041,
                        "/rack",
                        "reduce > reduce",
                        counters,
                        burst(),
                        millis(start)));
        end(attempt, end);
    }

    private static int[][] burst(int... splits) {
        return new int[][] {splits, {}, {}, {}};
    }

    /** The job has succeeded. */
    public void end(double end, int maps, int reduces) throws IOException {
        writer.write(
                new JobFinishedEvent(
                        JOB, millis(end), maps, reduces, 0, 0, 0, 0, NONE, NONE, NONE));
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
