package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/** Makes the file {@link #HERE}, and reduces when somebody has made {@link SlowOrder#HURRY}. */
public final class HeldReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
    static final String HERE = "reducing";

    @Override
    protected void setup(Context context) throws IOException {
        Files.createFile(Path.of(HERE));
        while (!Files.exists(Path.of(SlowOrder.HURRY))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
