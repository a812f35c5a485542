package org.apache.hadoop.clone.appmaster;

/** What the AppMaster adds to its job's counters. */
public enum CloneCounter {
    /** Clones that were decided on. */
    CLONES_ORDERED,
    /** Clones that came to run as attempts. */
    CLONES_RUNNING,
    /** Clones that finished before their originals. */
    CLONES_WON,
    /** Attempts that began at zero in a container that was meant for a clone. */
    CLONES_FELL_BACK,
    /** Clones that came to nothing. */
    CLONES_GIVEN_UP,
    /** Clones that left their originals, whether they came to run or not. */
    CLONES_SENT,
    /** For how long the originals of those were frozen, all together. */
    FROZEN_MILLIS,
    /** For how long those originals did nothing because of their clones, their freezes included. */
    GATE_CLOSED_MILLIS,
    /** From the decision until the clone ran, all clones together. */
    ORDER_TO_RUNNING_MILLIS,
    /** From the launch of the clone's container until the clone ran, all together. */
    LAUNCH_TO_RUNNING_MILLIS
}
