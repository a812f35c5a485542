package org.apache.hadoop.clone.crac;

/** As {@code org.crac.CheckpointException}: a resource doesn't want to be copied now. */
public final class CheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    CheckpointException(String message, Throwable cause) {
        super(message, cause);
    }
}
