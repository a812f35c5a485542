package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/** The map that this process runs, as far as a clone of it is concerned. */
final class RunningMap {
    private static final String STOCK_COLLECTOR =
            "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

    private static final Set<String> COLLECTORS =
            Set.of(STOCK_COLLECTOR, SpillCollector.class.getName());

    /** Frames of the map's thread that are there while records are read, and at no other time. */
    private static final Set<String> RECORD_LOOPS =
            Set.of(
                    "org.apache.hadoop.mapred.MapTask.runNewMapper",
                    "org.apache.hadoop.mapred.MapTask.runOldMapper");

    private static final Set<String> NOT_RECORD_LOOPS =
            Set.of(
                    "org.apache.hadoop.mapred.MapTask.createSortingCollector",
                    "org.apache.hadoop.mapred.MapTask$MapOutputBuffer.flush",
                    SpillCollector.class.getName() + ".flush",
                    "org.apache.hadoop.mapreduce.OutputCommitter.setupTask");

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
                            + "|Cache cleaner.*|LeaseRenewer.*|DatanodeInfo.*|"
                            + SpillCollector.THREAD
                            + "|"
                            + OrderLoop.THREAD);

    private final Task task;
    private final JobConf job;
    private final Thread thread;

    RunningMap(Object task, JobConf job, Thread thread) {
        this.task = (Task) task;
        this.job = job;
        this.thread = thread;
    }

    Task task() {
        return task;
    }

    JobConf job() {
        return job;
    }

    TaskAttemptID attempt() {
        return task.getTaskID();
    }

    /**
     * Why it can't be cloned at this moment, with what to do if something can be done.
     *
     * @throws IOException if the job's output can't be asked
     */
    Optional<String> obstacle() throws IOException {
        if (job.getNumReduceTasks() == 0) {
            return Optional.of("a map without reduces writes to HDFS itself");
        }
        String collector = job.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR);
        if (!COLLECTORS.contains(collector)) {
            return Optional.of("its output collector is " + collector);
        }
        if (!inRecordLoop()) {
            return Optional.of("it isn't reading records now");
        }
        if (hasFilesToCommit()) {
            return Optional.of("it has written files to the job's output itself");
        }
        if (ProcessHandle.current().children().findAny().isPresent()) {
            return Optional.of("it has started other processes");
        }
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !KNOWN_THREADS.matcher(name).matches())
                .findFirst()
                .map(name -> "it has started the thread '" + name + "'");
    }

    /**
     * Files in the attempt's work path, as of MultipleOutputs: a clone, with a work path of its
     * own, would commit only what it writes itself.
     */
    private boolean hasFilesToCommit() throws IOException {
        OutputCommitter committer = Fields.of(task, "committer");
        return committer.needsTaskCommit(Fields.<TaskAttemptContext>of(task, "taskContext"));
    }

    private boolean inRecordLoop() {
        List<String> frames =
                Arrays.stream(thread.getStackTrace())
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .toList();
        return frames.stream().anyMatch(RECORD_LOOPS::contains)
                && frames.stream().noneMatch(NOT_RECORD_LOOPS::contains);
    }

    /** Whether none of its output is just being spilled; asked at a record boundary. */
    boolean quiet() {
        return SpillCollector.isQuiet() && !isSpilling();
    }

    private static boolean isSpilling() {
        return spillThread()
                .map(spill -> Fields.of(spill, "this$0"))
                .map(buffer -> (boolean) Fields.of(buffer, "spillInProgress"))
                .orElse(false);
    }

    private static Optional<Thread> spillThread() {
        Thread[] threads = new Thread[Thread.activeCount() * 2 + 16];
        int count = Thread.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(t -> t.getClass().getName().endsWith("MapOutputBuffer$SpillThread"))
                .findFirst();
    }

    /** Where its files are, in the container's own words. */
    SourcePaths paths() {
        return new SourcePaths(
                Path.of("").toAbsolutePath().toString(),
                List.of(System.getenv(Environment.LOCAL_DIRS.name()).split(",")),
                List.of(System.getenv(Environment.LOG_DIRS.name()).split(",")));
    }

    /**
     * What it owns on disk: working directory, output, logs. Directories for output are made if
     * they aren't there: a spill may need them any moment.
     */
    List<Path> files() throws IOException {
        SourcePaths paths = paths();
        List<Path> files = new ArrayList<>();
        files.add(Path.of(paths.workDir()));
        for (String local : paths.localDirs()) {
            files.add(Files.createDirectories(output(local, attempt())));
        }
        for (String logs : paths.logDirs()) {
            try (Stream<Path> entries = Files.list(Path.of(logs))) {
                entries.filter(RunningMap::isLog).forEach(files::add);
            }
        }
        return files;
    }

    /** The attempt's output below one of the application's local directories. */
    static Path output(String localDir, TaskAttemptID attempt) {
        return Path.of(localDir, "output", attempt.toString());
    }

    /** What the task writes itself; everything else there is its NodeManager's. */
    private static boolean isLog(Path file) {
        return file.getFileName().toString().matches("stdout|stderr|syslog.*");
    }

    /** Bytes on disk that a clone must be given. */
    long fileBytes() throws IOException {
        long sum = 0;
        for (Path root : files()) {
            try (Stream<Path> tree = Files.walk(root)) {
                sum += tree.filter(Files::isRegularFile).mapToLong(RunningMap::size).sum();
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

    /** Bytes of the process that are in memory. */
    static long memoryBytes() throws IOException {
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
        return Long.parseLong(pages) * 4096;
    }
}
