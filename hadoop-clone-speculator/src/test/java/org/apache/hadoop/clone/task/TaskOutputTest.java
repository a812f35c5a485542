package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PartialFileOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;

class TaskOutputTest {
    private static final Path OUT = new Path("file:/out");

    private final JobConf job = new JobConf();
    private final TaskAttemptContext context = new TaskAttemptContextImpl(job, TaskJvm.REDUCE);

    private TaskOutput committedBy(OutputCommitter committer) {
        Task task = TaskJvm.reduce(1);
        Fields.set(task, "committer", committer);
        return new TaskOutput(task, job);
    }

    @Test
    void mayHaveAWorkPathThatCanBeChanged() throws Exception {
        assertThat(committedBy(new FileOutputCommitter(OUT, context)).committerObstacle())
                .isEmpty();
        assertThat(committedBy(new PartialFileOutputCommitter(OUT, context)).committerObstacle())
                .isEmpty();
    }

    @Test
    void mayHaveNoWorkPathAtAll() throws Exception {
        OutputCommitter none = new NullOutputFormat<>().getOutputCommitter(context);
        assertThat(committedBy(none).committerObstacle()).isEmpty();
    }

    @Test
    void mustNotHaveAWorkPathThatNobodyKnows() throws Exception {
        assertThat(committedBy(new BindingPathOutputCommitter(OUT, context)).committerObstacle())
                .hasValue(BoundOutput.REASON);
    }

    /** As DBOutputFormat has it. */
    @Test
    void isNotFilesWithAFileOutputCommitterWithoutAPath() throws Exception {
        assertThat(committedBy(new FileOutputCommitter(null, context)).obstacle())
                .hasValue("its output isn't files");
    }
}
