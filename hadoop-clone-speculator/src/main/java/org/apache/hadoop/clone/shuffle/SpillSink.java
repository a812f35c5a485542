package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import org.apache.hadoop.clone.protocol.SpillNotice;

/** Who is told of a map's spills. */
interface SpillSink {
    /** The spill's files are complete, and will never change. */
    void finished(SpillNotice notice) throws IOException;

    /** There are no more. */
    void ended(int spills, long chain) throws IOException;
}
