package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** f_clone of a task that hasn't told it: what its counters say it has written to local disks. */
final class LocalFiles {
    private static final String SCHEME = "file";

    private LocalFiles() {}

    static long bytes(TaskAttempt attempt) {
        return Math.max(
                0,
                attempt.getCounters()
                        .findCounter(SCHEME, FileSystemCounter.BYTES_WRITTEN)
                        .getValue());
    }
}
