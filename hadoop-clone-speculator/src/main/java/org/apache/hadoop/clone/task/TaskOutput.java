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
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.OpenStreams;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;

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
        return OpenStreams.any() || committer().hasFiles();
    }

    /** Why what a clone writes later wouldn't be committed, even if there is nothing yet. */
    Optional<String> committerObstacle() throws IOException {
        return committer().obstacle();
    }

    /** Why a clone couldn't go on with it, whatever its state. */
    Optional<String> obstacle() throws IOException {
        Optional<String> obstacle = pathObstacle();
        // Resources may own streams that stand against a clone, and close them.
        return obstacle.isPresent() || !TaskHooks.RESOURCES.none() ? obstacle : streamsObstacle();
    }

    private Optional<String> pathObstacle() throws IOException {
        Optional<String> obstacle = committer().obstacle();
        if (obstacle.isPresent()) {
            return obstacle;
        }
        Optional<Path> workPath = committer().workPath();
        return workPath.isEmpty()
                        || workPath.get().getFileSystem(job) instanceof DistributedFileSystem
                ? Optional.empty()
                : Optional.of("its output isn't in HDFS but in " + workPath.get());
    }

    private Optional<String> streamsObstacle() throws IOException {
        Optional<OpenStreams> streams = streams();
        if (streams.isPresent()) {
            return streams.get().obstacle();
        }
        return OpenStreams.any()
                ? Optional.of("it writes to HDFS, and nothing of it would be committed")
                : Optional.empty();
    }

    /**
     * Flushes what is open, and lets nothing of it leave the process, for as short a time as can
     * be. The thread that writes must be parked.
     *
     * @return why that can't be done, with all running on
     */
    Optional<String> hold(long limitMillis) throws IOException, InterruptedException {
        Optional<String> failure = pathObstacle();
        if (failure.isEmpty()) {
            failure = streamsObstacle();
        }
        Optional<OpenStreams> streams = streams();
        if (failure.isPresent() || streams.isEmpty()) {
            return failure;
        }
        failure = streams.get().quiesce(Duration.ofMillis(limitMillis));
        if (failure.isEmpty()) {
            held = streams.get();
        }
        return failure;
    }

    private TaskCommitter committer() {
        return new TaskCommitter(task, job);
    }

    /**
     * What a clone would have to copy at this moment, since no DataNode can link it, in bytes. To
     * be asked only if there is no obstacle.
     */
    long bytesToCopy() throws IOException {
        Optional<OpenStreams> streams =
                committer().obstacle().isEmpty() ? streams() : Optional.empty();
        return streams.isPresent() ? streams.get().bytesToCopy() : 0;
    }

    /** With a path of their own: the committer's is another one in the clone. */
    private Optional<OpenStreams> streams() throws IOException {
        Optional<Path> workPath = committer().workPath();
        return workPath.isPresent()
                ? Optional.of(OpenStreams.find(new Path(workPath.get().toUri()), job))
                : Optional.empty();
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
        TaskCommitter committer = committer();
        committer.setUp();
        if (held != null) {
            held.repair(committer.workPath().orElseThrow());
            held = null;
        }
    }
}
