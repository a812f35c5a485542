package org.apache.hadoop.mapred;

import java.nio.file.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;

/** A map of a job with one map, outside of any container. */
public final class TestMap extends MapTask {
    private static final TaskAttemptID ID =
            TaskAttemptID.forName("attempt_1700000000000_0001_m_000000_0");

    private final Progress sort = new Progress();
    private final TaskReporter reporter;

    /**
     * @param dir becomes the only local directory
     */
    public TestMap(JobConf job, Path dir) {
        super("", ID, 0, new TaskSplitIndex(), 1);
        job.set(MRConfig.LOCAL_DIR, dir.toString());
        job.set(MRJobConfig.TASK_ATTEMPT_ID, ID.toString());
        job.setClass(MRConfig.TASK_LOCAL_OUTPUT_CLASS, YarnOutputFiles.class, MapOutputFile.class);
        job.setNumMapTasks(1);
        setConf(job);
        reporter = new TaskReporter(getProgress(), null);
    }

    @Override
    public Progress getSortPhase() {
        return sort;
    }

    /** What stock does after the last record of a mapper that hasn't failed. */
    public void recordsRead() {
        setPhase(TaskStatus.Phase.SORT);
    }

    public MapOutputCollector.Context context() {
        return new MapOutputCollector.Context(this, (JobConf) getConf(), reporter);
    }

    public long counter(Enum<?> name) {
        return reporter.getCounter(name).getCounter();
    }
}
