package org.apache.hadoop.clone.task;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.LongWritable;

/**
 * Sorts as ever, but slowly until somebody makes the file {@link #HURRY} in the working directory.
 */
public class SlowOrder extends LongWritable.Comparator {
    static final String HURRY = "hurry";

    private static final int COMPARISONS_PER_PAUSE = 10;

    private int comparisons;

    @Override
    public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
        if (++comparisons % COMPARISONS_PER_PAUSE == 0 && !Files.exists(Path.of(HURRY))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis()));
        }
        return super.compare(b1, s1, l1, b2, s2, l2);
    }

    /** What a pause of the present thread takes. */
    long pauseMillis() {
        return 1;
    }
}
