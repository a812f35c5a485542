package org.apache.hadoop.clone.crac;

/** As {@code org.crac.Resource}: what user code must close before a clone and open after it. */
public interface Resource {
    /**
     * Makes the resource ready to be copied.
     *
     * @throws Exception if there must be no clone now
     */
    void beforeCheckpoint(Context context) throws Exception;

    /**
     * Takes the resource up again: in the original, in the clone, and when no clone was made.
     *
     * @throws Exception if it can't be used any more
     */
    void afterRestore(Context context) throws Exception;
}
