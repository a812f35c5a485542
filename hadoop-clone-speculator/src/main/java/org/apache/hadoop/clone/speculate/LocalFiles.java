package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** f_clone of a task that hasn't told it: what its counters say it has written to local disks. */
final class LocalFiles {
    private static final String SCHEME = "file";

    private LocalFiles() {}

    static long bytes(TaskAttempt attempt) {
        Counters counters = attempt.getCounters();
        // findCounter() adds what isn't there, and before its first report an attempt's are those
        // that all have in common (TaskAttemptImpl.EMPTY_COUNTERS).
        if (counters.countCounters() == 0) {
            return 0;
        }
        return Math.max(
                0, counters.findCounter(SCHEME, FileSystemCounter.BYTES_WRITTEN).getValue());
    }
}
