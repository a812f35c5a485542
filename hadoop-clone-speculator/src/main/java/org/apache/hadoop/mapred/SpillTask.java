package org.apache.hadoop.mapred;

import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;

/**
 * A map as the collector of one of its spills sees it: with files and progress of the spill's own.
 * Here because what a task reports in distress can only be passed on from this package.
 */
public final class SpillTask extends MapTask {
    private final MapTask map;
    private final MapOutputFile files;
    private final Progress progress = new Progress();

    /**
     * @param map whose id is shared, not copied: a clone changes it in place
     */
    public SpillTask(MapTask map, MapOutputFile files) {
        super("", map.getTaskID(), map.getPartition(), new TaskSplitIndex(), 1);
        this.map = map;
        this.files = files;
    }

    @Override
    public MapOutputFile getMapOutputFile() {
        return files;
    }

    /** Stock completes the sort phase after each merge; the map's own ends once. */
    @Override
    public Progress getSortPhase() {
        return progress;
    }

    @Override
    protected void reportFatalError(
            TaskAttemptID id, Throwable throwable, String message, boolean fastFail) {
        map.reportFatalError(id, throwable, message, fastFail);
    }
}
