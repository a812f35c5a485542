package org.apache.hadoop.clone.protocol;

/** Whether an original that is ready for it may be frozen for its clone. */
public enum FreezeLeave {
    /** Now. */
    GRANTED,
    /**
     * Not now, since it would end sooner by itself, or its clone isn't expected yet: ask again, and
     * run on meanwhile.
     */
    LATER,
    /** Not for this clone. */
    REFUSED
}
