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

    /** Why a clone couldn't go on with it, whatever its state; not to be asked while it is held. */
    Optional<String> obstacle() throws IOException {
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
        return streams(committer.get()).obstacle();
    }

    /**
     * Flushes what is open, and lets nothing of it leave the process. The thread that writes must
     * be parked.
     *
     * @return why that couldn't be done, with all running on
     */
    Optional<String> hold(long limitMillis) throws IOException, InterruptedException {
        Optional<FileOutputCommitter> committer = OutputCommitters.ofFiles(task);
        if (committer.isEmpty()) {
            return Optional.of("its output committer is gone");
        }
        OpenStreams streams = streams(committer.get());
        Optional<String> failure = streams.quiesce(Duration.ofMillis(limitMillis));
        if (failure.isEmpty()) {
            held = streams;
        }
        return failure;
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

    boolean isHeld() {
        return held != null;
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
            held.repair(
                    OutputCommitters.ofFiles(task)
                            .orElseThrow(() -> new IOException("the output committer is gone"))
                            .getWorkPath());
            held = null;
        }
    }
}
