package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.OpenStreams;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/** What a task has written to its attempt's work path, open files among it. */
final class TaskOutput {
    private final Task task;
    private final JobConf job;
    private OpenStreams held;

    TaskOutput(Task task, JobConf job) {
        this.task = task;
        this.job = job;
    }

    /**
     * Whether it has written anything to HDFS that is still open, wherever that is, or anything
     * that it would commit. A clone that didn't take it along would commit only what it writes
     * itself.
     */
    boolean isAny() throws IOException {
        OutputCommitter committer = Fields.of(task, "committer");
        return OpenStreams.any()
                || committer.needsTaskCommit(Fields.<TaskAttemptContext>of(task, "taskContext"));
    }

    /**
     * Why what a clone writes later wouldn't be committed, even if there is nothing yet: a
     * committer that has a work path which nothing here can change.
     */
    Optional<String> committerObstacle() {
        OutputCommitter committer = Fields.of(task, "committer");
        return committer instanceof PathOutputCommitter && OutputCommitters.ofFiles(task).isEmpty()
                ? Optional.of("its output is committed by " + committer.getClass().getName())
                : Optional.empty();
    }

    /** Why a clone couldn't go on with it, whatever its state. */
    Optional<String> obstacle() throws IOException {
        Optional<String> obstacle = pathObstacle();
        // Resources may own streams that stand against a clone, and close them.
        return obstacle.isPresent() || !TaskHooks.RESOURCES.none()
                ? obstacle
                : streams(committer()).obstacle();
    }

    private Optional<String> pathObstacle() throws IOException {
        Optional<FileOutputCommitter> committer =
                OutputCommitters.ofFiles(task)
                        .filter(c -> c.getClass() == FileOutputCommitter.class);
        if (committer.isEmpty()) {
            return Optional.of("its output isn't committed by Hadoop's FileOutputCommitter");
        }
        Path workPath = committer.get().getWorkPath();
        if (workPath == null) {
            return Optional.of("its output isn't files");
        }
        if (!(workPath.getFileSystem(job) instanceof DistributedFileSystem)) {
            return Optional.of("its output isn't in HDFS but in " + workPath);
        }
        return Optional.empty();
    }

    /**
     * Flushes what is open, and lets nothing of it leave the process, for as short a time as can
     * be. The thread that writes must be parked.
     *
     * @return why that can't be done, with all running on
     */
    Optional<String> hold(long limitMillis) throws IOException, InterruptedException {
        Optional<String> failure = pathObstacle();
        if (failure.isPresent()) {
            return failure;
        }
        OpenStreams streams = streams(committer());
        failure = streams.obstacle();
        if (failure.isEmpty()) {
            failure = streams.quiesce(Duration.ofMillis(limitMillis));
        }
        if (failure.isEmpty()) {
            held = streams;
        }
        return failure;
    }

    private FileOutputCommitter committer() throws IOException {
        return OutputCommitters.ofFiles(task)
                .orElseThrow(() -> new IOException("the output committer is gone"));
    }

    /**
     * What a clone would have to copy at this moment, since no DataNode can link it, in bytes. To
     * be asked only if there is no obstacle.
     */
    long bytesToCopy() throws IOException {
        Optional<FileOutputCommitter> committer = OutputCommitters.ofFiles(task);
        return committer.isPresent() ? streams(committer.get()).bytesToCopy() : 0;
    }

    /** With a path of their own: the committer's is another one in the clone. */
    private OpenStreams streams(FileOutputCommitter committer) throws IOException {
        return OpenStreams.find(new Path(committer.getWorkPath().toUri()), job);
    }

    /** Whether it is held for so long that the original's streams mightn't outlive a freeze. */
    boolean isOverdue() {
        return held != null && held.areOverdue();
    }

    /** In the original: lets it go on. Nothing if it does. */
    void release() {
        if (held != null) {
            held.release();
            held = null;
        }
    }

    /** In the clone, under its new id: makes files of its own, and goes on with them. */
    void repair() throws IOException {
        if (held != null) {
            held.repair(committer().getWorkPath());
            held = null;
        }
    }
}
