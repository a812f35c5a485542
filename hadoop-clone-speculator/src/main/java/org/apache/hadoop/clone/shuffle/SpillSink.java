package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import org.apache.hadoop.clone.protocol.SpillNotice;

/** Who is told of a map's spills. */
interface SpillSink {
    /** The mapper's thread is about to hand a full spill over; all before it are published. */
    default void full() {}

    /** The spill's files are complete, and will never change. */
    void finished(SpillNotice notice) throws IOException;

    /** There are no more. */
    void ended(int spills, long chain) throws IOException;
}
