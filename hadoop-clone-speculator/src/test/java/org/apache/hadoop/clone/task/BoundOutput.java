package org.apache.hadoop.clone.task;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Files whose committer is inside of another. */
public final class BoundOutput extends TextOutputFormat<LongWritable, Text> {
    static final String REASON =
            "its output is committed by "
                    + BindingPathOutputCommitter.class.getName()
                    + ", which isn't in mapreduce.clone.committers";

    private OutputCommitter committer;

    @Override
    public synchronized OutputCommitter getOutputCommitter(TaskAttemptContext context)
            throws IOException {
        if (committer == null) {
            committer = new BindingPathOutputCommitter(getOutputPath(context), context);
        }
        return committer;
    }
}
