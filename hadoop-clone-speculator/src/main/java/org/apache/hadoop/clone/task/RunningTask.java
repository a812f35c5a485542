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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task that this process runs, as far as a clone of it is concerned. */
abstract class RunningTask {
    private static final Logger LOG = LoggerFactory.getLogger(RunningTask.class);

    private static final long COMPANY_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final Task task;
    private final JobConf job;
    private final Thread thread;
    private long waitedMillis;

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

    /** Of a key with a duration; its preset, if it has none that can be read. */
    final long millis(String key, String preset) {
        try {
            return job.getTimeDuration(key, preset, TimeUnit.MILLISECONDS);
        } catch (NumberFormatException e) {
            LOG.warn("{} is no duration but '{}'; {} counts", key, job.get(key), preset);
            return new Configuration(false).getTimeDuration(key, preset, TimeUnit.MILLISECONDS);
        }
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
     * Below one of these: where Hadoop may be writing for it just now what a clone has no part in,
     * since it is complete before the task is held.
     */
    abstract Stream<Path> passingOutput(String localDir);

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

    /**
     * What the user's code has beside the task, and will have when the task is parked. Hadoop
     * itself starts processes that end at once (to run setsid, getconf, chmod): not these.
     */
    final Optional<String> lastingCompany() {
        // Resources may own what stands against a clone, and end it when they are closed.
        if (!TaskHooks.RESOURCES.none()) {
            return Optional.empty();
        }
        return staying(
                () -> {
                    // What is open is rather what the user can do something about.
                    Set<String> found = strangersNow();
                    found.addAll(companyOfRunning());
                    return found;
                });
    }

    /** Connections and files that stay open, and that a clone can't have. */
    final Optional<String> strangers() {
        return staying(this::strangersNow);
    }

    private Set<String> strangersNow() {
        Set<String> found = Descriptors.obstacles(clonedDirectories(), job);
        found.addAll(NamedFiles.obstacles(Path.of(paths().workDir()), attempt()));
        return found;
    }

    private Optional<String> staying(Supplier<Set<String>> look) {
        Company.Staying seen = Company.staying(look, COMPANY_MILLIS);
        waitedMillis += seen.waitedMillis();
        return seen.what();
    }

    /** How long it has waited so far for what might pass, and did nothing else. */
    final long waitedMillis() {
        return waitedMillis;
    }

    /** Where a clone has what its original had, or needs nothing of it. */
    final List<Path> clonedDirectories() {
        return Stream.concat(ownDirectories(), passingDirectories()).toList();
    }

    private Stream<Path> ownDirectories() {
        SourcePaths paths = paths();
        return Stream.of(
                        Stream.of(Path.of(paths.workDir())),
                        paths.localDirs().stream().map(this::output),
                        paths.logDirs().stream().map(Path::of))
                .flatMap(all -> all);
    }

    private Stream<Path> passingDirectories() {
        return paths().localDirs().stream().flatMap(this::passingOutput);
    }

    private Set<String> companyOfRunning() {
        return company(users().filter(thread -> !thread.mayComeToRest()).toList());
    }

    /**
     * Once the task is parked and its user's resources are closed: waits until all that might run
     * user code waits too.
     *
     * @return what doesn't
     */
    final Optional<String> restless(long limitMillis) {
        return Company.awaitNone(this::companyOfParked, limitMillis);
    }

    private Set<String> companyOfParked() {
        Set<String> found = company(users().toList());
        if (isWriting()) {
            found.add("its output is being written");
        }
        return found;
    }

    /** Those threads as far as they don't rest, and all processes that this one has started. */
    static Set<String> company(List<ThreadFacts> users) {
        Set<String> found = new LinkedHashSet<>(Threads.unrest(users));
        // Each by itself, as of some that follow each other none stays: without its native library
        // Hadoop runs chmod for each spill. By number only, since its command changes at first.
        ProcessHandle.current()
                .children()
                .map(child -> "it has started another process, " + child.pid())
                .forEach(found::add);
        return found;
    }

    private Stream<ThreadFacts> users() {
        boolean free = runsWhileParked();
        return Threads.now().stream()
                .filter(ThreadFacts::isUsers)
                .filter(other -> !free || other.id() != thread.getId());
    }

    /** Whether its own thread needn't stand still for a clone. */
    abstract boolean runsWhileParked();

    /** Whether a thread of Hadoop's writes files that are named after the attempt. */
    abstract boolean isWriting();

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
