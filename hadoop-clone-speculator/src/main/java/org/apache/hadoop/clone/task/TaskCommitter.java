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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.seam.HiddenField;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitter;

/** The committer of a task, as far as a clone of the task can have its output committed by it. */
final class TaskCommitter {
    /** All that these keep of their attempt is their work path. */
    private static final Set<Class<?>> KNOWN =
            Set.of(
                    FileOutputCommitter.class,
                    org.apache.hadoop.mapred.FileOutputCommitter.class,
                    ManifestCommitter.class);

    /** By which a committer could tell its attempt from others. */
    private static final Set<String> OF_TASKS =
            Set.of("setupTask", "needsTaskCommit", "commitTask", "abortTask", "getWorkPath");

    private final OutputCommitter committer;
    private final TaskAttemptContext context;
    private final JobConf job;

    TaskCommitter(Task task, JobConf job) {
        committer = Hidden.COMMITTER.get(task);
        context = Hidden.CONTEXT.get(task);
        this.job = job;
    }

    /** The committer itself; the old API's is a shell around it. */
    private Object ofFiles() {
        return committer instanceof org.apache.hadoop.mapred.FileOutputCommitter
                ? Hidden.WRAPPED_COMMITTER.get(committer)
                : committer;
    }

    /** Whether all is known of it that it does for a task, or it is declared to be safe. */
    private boolean isKnown() {
        return isDeclared() || isNone() || isHadoopsInTasks();
    }

    private boolean isDeclared() {
        return List.of(job.getTrimmedStrings(CloneKeys.COMMITTERS, CloneKeys.COMMITTERS_DEFAULT))
                .contains(committer.getClass().getName());
    }

    /** It does nothing at all. */
    private boolean isNone() {
        return committer.getClass().getEnclosingClass() == NullOutputFormat.class;
    }

    /** Hadoop's own, or one that differs from it only in what it does for a job, as Parquet's. */
    private boolean isHadoopsInTasks() {
        Class<?> type = committer.getClass();
        while (type != null && !KNOWN.contains(type)) {
            if (Stream.of(type.getDeclaredMethods())
                    .anyMatch(method -> OF_TASKS.contains(method.getName()))) {
                return false;
            }
            type = type.getSuperclass();
        }
        return type != null;
    }

    /**
     * Why a clone couldn't have its output committed, even if there is nothing yet: a committer may
     * keep its attempt where nothing here can change it.
     */
    Optional<String> obstacle() throws IOException {
        if (!isKnown()) {
            return Optional.of(
                    "its output is committed by "
                            + committer.getClass().getName()
                            + ", which isn't in "
                            + CloneKeys.COMMITTERS);
        }
        return ofFiles() instanceof PathOutputCommitter files
                ? pathObstacle(files)
                : Optional.empty();
    }

    /** A path that is the same for all attempts belongs to none of them. */
    private Optional<String> pathObstacle(PathOutputCommitter files) throws IOException {
        Path workPath = files.getWorkPath();
        if (workPath == null) {
            return Optional.empty();
        }
        if (!workPath.toString().contains(context.getTaskAttemptID().toString())) {
            return Optional.of("it writes to " + workPath + ", as every attempt of its task does");
        }
        // One that is made anew has no place at which it could be changed.
        return workPath == files.getWorkPath()
                ? Optional.empty()
                : Optional.of(committer.getClass().getName() + " keeps no work path");
    }

    /** Where the attempt writes what will be committed; empty if that is nothing. */
    Optional<Path> workPath() throws IOException {
        return ofFiles() instanceof PathOutputCommitter files
                ? Optional.ofNullable(files.getWorkPath())
                : Optional.empty();
    }

    /** Whether there is anything that it would commit. */
    boolean hasFiles() throws IOException {
        // Some make the directory ahead, and commit it even if it is empty.
        Optional<Path> workPath = workPath();
        return workPath.isPresent() && isFilled(workPath.get());
    }

    private boolean isFilled(Path directory) throws IOException {
        try {
            return directory.getFileSystem(job).listStatusIterator(directory).hasNext();
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /**
     * In a clone: has it commit what the clone writes. The path is changed in place, since a
     * committer knows it from when it was made, and gives the object itself to user code that asks
     * where it may write.
     *
     * @throws IOException if that had no effect
     */
    void rename(String old, String now) throws IOException {
        if (!(ofFiles() instanceof PathOutputCommitter files) || files.getWorkPath() == null) {
            return;
        }
        Path workPath = files.getWorkPath();
        Path renamed = new Path(workPath.toString().replace(old, now));
        Hidden.PATH_URI.set(workPath, renamed.toUri());
        if (!renamed.equals(files.getWorkPath())) {
            throw new IOException(committer.getClass().getName() + " keeps another work path");
        }
        if (files instanceof ManifestCommitter) {
            renameReports(Hidden.MANIFEST_CONFIG.get(files), old, now);
        }
    }

    /** What it calls itself. */
    private static void renameReports(Object config, String old, String now) {
        for (HiddenField<String> field : List.of(Hidden.MANIFEST_ATTEMPT, Hidden.MANIFEST_NAME)) {
            field.set(config, field.get(config).replace(old, now));
        }
    }

    /**
     * In a clone, under its new id and with the gate open: what comes before all that an attempt
     * writes. Hadoop's FileOutputCommitter does nothing, a ManifestCommitter makes its directory.
     */
    void setUp() throws IOException {
        committer.setupTask(context);
    }
}
