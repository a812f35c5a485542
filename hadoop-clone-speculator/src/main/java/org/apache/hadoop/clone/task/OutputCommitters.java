package org.apache.hadoop.clone.task;

import java.util.Optional;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;

/** The committer of a task, as far as it is one that we know. */
final class OutputCommitters {
    private OutputCommitters() {}

    /**
     * Hadoop's own committer of files, or a subclass of it; the old API's is a shell around it.
     * Empty if the task has another, or none yet.
     */
    static Optional<FileOutputCommitter> ofFiles(Task task) {
        OutputCommitter committer = Fields.of(task, "committer");
        if (committer instanceof org.apache.hadoop.mapred.FileOutputCommitter) {
            committer = Fields.of(committer, "wrapped");
        }
        return committer instanceof FileOutputCommitter files
                ? Optional.of(files)
                : Optional.empty();
    }
}
