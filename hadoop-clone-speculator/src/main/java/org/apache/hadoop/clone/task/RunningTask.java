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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/** The task that this process runs, as far as a clone of it is concerned. */
abstract class RunningTask {
    /**
     * Threads of the JVM, of Hadoop and of ours; who starts others may hold what can't be cloned.
     */
    private static final Pattern KNOWN_THREADS =
            Pattern.compile(
                    "main|Reference Handler|Finalizer|Signal Dispatcher|Attach Listener|Common-Cleaner"
                            + "|Notification Thread|process reaper.*|SpillThread|communication thread"
                            + "|Thread for syncLogs|IPC Client.*|IPC Parameter Sending Thread.*"
                            + "|client DomainSocketWatcher|Timer for '.*' metrics system|ForkJoinPool.*"
                            + "|org\\.apache\\.hadoop\\..*|java\\.util\\.concurrent\\.ThreadPoolExecutor.*"
                            + "|Cache cleaner.*|LeaseRenewer.*|DatanodeInfo.*"
                            + "|fetcher#\\d+|EventFetcher for .*|InMemoryMerger - .*|OnDiskMerger - .*"
                            + "|ShufflePenaltyReferee|Keep-Alive-Timer"
                            + "|DataStreamer for file .*|ResponseProcessor for block .*|hdfs-stream-.*|"
                            + SpillShuffle.THREAD
                            + "|"
                            + SpillCollector.THREAD
                            + "|"
                            + OrderLoop.THREAD);

    private static final long COMPANY_MILLIS = TimeUnit.SECONDS.toMillis(1);
    private static final long COMPANY_POLL_MILLIS = 10;

    private final Task task;
    private final JobConf job;
    private final Thread thread;

    RunningTask(Object task, JobConf job, Thread thread) {
        this.task = (Task) task;
        this.job = job;
        this.thread = thread;
    }

    final Task task() {
        return task;
    }

    final JobConf job() {
        return job;
    }

    final TaskAttemptID attempt() {
        return task.getTaskID();
    }

    /**
     * Why it can't be cloned at this moment, with what to do if something can be done.
     *
     * @throws IOException if the job's output can't be asked
     */
    abstract Optional<String> obstacle() throws IOException;

    /** Ahead of {@link #park}, what takes long and doesn't disturb it. */
    abstract void prepare();

    /**
     * Brings it to a point at which it can be frozen, and holds it there.
     *
     * @param limitMillis for what is under way to end
     * @param patience for all that
     * @return why that couldn't be done in time; empty if it is held. In any case {@link #release}
     *     must follow
     */
    abstract Optional<String> park(long limitMillis, Patience patience)
            throws IOException, InterruptedException;

    /**
     * Once it is parked and its user's resources are closed, which may write and close files of the
     * task: stops what it writes to HDFS.
     *
     * @return why that couldn't be done; {@link #release} must follow in any case
     */
    abstract Optional<String> hold(long limitMillis) throws IOException, InterruptedException;

    /** What it writes to HDFS. */
    abstract TaskOutput output();

    /** Lets it go on; harmless if it isn't held, and never throws. */
    abstract void release();

    /** Its own directory below one of the application's local directories. */
    abstract Path output(String localDir);

    /**
     * In the clone, under its new id and with the gate open, before it is released: what it has
     * written becomes its own.
     *
     * @throws IOException if the clone must not go on
     */
    abstract void repair() throws IOException;

    /** In the clone, before its attempt's id changes: puts files where they will be looked for. */
    abstract void moveOutput(TaskAttemptID to) throws IOException;

    /** The frames of the task's own thread, as {@code CLASS.METHOD}. */
    final List<String> frames() {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList();
    }

    /** The processes and threads that stand in the way of a clone, while resources are open. */
    final Optional<String> companyUnlessClosed() {
        // Resources may own what stands against a clone, and end it when they are closed.
        return TaskHooks.RESOURCES.none() ? company() : Optional.empty();
    }

    /**
     * Processes and threads that user code has started. Hadoop itself starts some that end at once
     * (to run setsid, getconf, chmod): these are waited for.
     */
    final Optional<String> company() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMPANY_MILLIS);
        Set<String> strangers = strangers();
        Set<String> staying = new LinkedHashSet<>(strangers);
        while (!strangers.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(COMPANY_POLL_MILLIS));
            strangers = strangers();
            staying.retainAll(strangers);
        }
        // Rather what was always there than who came by at last.
        return (staying.isEmpty() ? strangers : staying).stream().findFirst();
    }

    private static Set<String> strangers() {
        Set<String> found = new LinkedHashSet<>();
        if (ProcessHandle.current().children().findAny().isPresent()) {
            found.add("it has started other processes");
        }
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !KNOWN_THREADS.matcher(name).matches())
                .forEach(name -> found.add("it has started the thread '" + name + "'"));
        return found;
    }

    /** Where its files are, in the container's own words. */
    final SourcePaths paths() {
        return new SourcePaths(
                Path.of("").toAbsolutePath().toString(),
                List.of(System.getenv(Environment.LOCAL_DIRS.name()).split(",")),
                List.of(System.getenv(Environment.LOG_DIRS.name()).split(",")));
    }

    /**
     * What it owns on disk: working directory, output, logs. Directories for output are made if
     * they aren't there: they may be needed any moment.
     */
    final List<Path> files() throws IOException {
        SourcePaths paths = paths();
        List<Path> files = new ArrayList<>();
        files.add(Path.of(paths.workDir()));
        for (String local : paths.localDirs()) {
            files.add(Files.createDirectories(output(local)));
        }
        for (String logs : paths.logDirs()) {
            try (Stream<Path> entries = Files.list(Path.of(logs))) {
                entries.filter(RunningTask::isLog).forEach(files::add);
            }
        }
        return files;
    }

    /** What the task writes itself; everything else there is its NodeManager's. */
    private static boolean isLog(Path file) {
        return file.getFileName().toString().matches("stdout|stderr|syslog.*");
    }

    /** Bytes of its output in HDFS that a clone would have to copy, since they can't be linked. */
    abstract long outputBytes() throws IOException;

    /** Bytes on disk that a clone must be given, and those that it must copy in HDFS. */
    final long fileBytes() throws IOException {
        long sum = outputBytes();
        for (Path root : files()) {
            try (Stream<Path> tree = Files.walk(root)) {
                sum += tree.filter(Files::isRegularFile).mapToLong(RunningTask::size).sum();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return sum;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // gone meanwhile
        }
    }
}
