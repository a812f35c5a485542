package org.apache.hadoop.clone.shuffle;

/**
 * How far a mapper is from a boundary: a point at which nothing is being written, and all that it
 * has put out and not published is in the smaller of its two buffers.
 *
 * @param bytes of records that it puts out until then; 0 at the boundary
 * @param writeNanos how long it then takes until the larger buffer is written, by experience;
 *     {@link #UNKNOWN} without any
 */
public record BoundaryDistance(long bytes, long writeNanos) {
    /** Longer than anybody waits. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    static final BoundaryDistance NONE = new BoundaryDistance(0, 0);

    /** Whether it is there. */
    public boolean isNone() {
        return bytes == 0;
    }
}
