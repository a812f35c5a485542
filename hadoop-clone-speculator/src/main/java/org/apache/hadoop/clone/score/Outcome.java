package org.apache.hadoop.clone.score;

/** What to do about a running attempt. */
public enum Outcome {
    /** Let it run. */
    NONE,
    /** Start another attempt of its task from zero, as stock speculation does. */
    NEW,
    /** Clone it. */
    CLONE
}
