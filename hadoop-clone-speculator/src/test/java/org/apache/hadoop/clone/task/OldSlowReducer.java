package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;

/** {@link SlowReducer} by Hadoop's old API. */
public final class OldSlowReducer extends MapReduceBase
        implements Reducer<LongWritable, Text, LongWritable, Text> {
    private int records;

    @Override
    public void reduce(
            LongWritable key,
            Iterator<Text> values,
            OutputCollector<LongWritable, Text> output,
            Reporter reporter)
            throws IOException {
        while (values.hasNext()) {
            Text value = values.next();
            SlowReducer.pause(++records);
            output.collect(key, value);
        }
    }
}
