package org.apache.hadoop.clone.speculate;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * When the last map of a job has ended. Until then its reduces wait most of the time, which
 * Hadoop's estimators take for work: where maps take an hour, reduces that have five minutes of
 * work took 65, and one that takes ten more is on schedule.
 */
final class MapsEnd {
    /** Of B̄: maps are writing to the same disks meanwhile, and others are fetching. */
    private static final double SHARE = 0.25;

    private final Set<JobId> come = new HashSet<>();

    /** Whether it has come since this was asked last; a map whose output is lost puts it off. */
    boolean comes(Job job) {
        if (job.getCompletedMaps() < job.getTotalMaps()) {
            come.remove(job.getID());
            return false;
        }
        return come.add(job.getID());
    }

    /**
     * What a reduce has done by then that was no waiting, in milliseconds: it has started, and
     * fetched. Rather too much than too little: another reduce, which begins later and waits for
     * nothing, isn't to look slow beside it.
     *
     * @param startMillis how long it took to start
     */
    static double workedMillis(TaskAttempt reduce, double startMillis, CloneCosts costs) {
        return startMillis
                + AttemptCounters.shuffledBytes(reduce) / (SHARE * costs.bytesPerMilli());
    }
}
