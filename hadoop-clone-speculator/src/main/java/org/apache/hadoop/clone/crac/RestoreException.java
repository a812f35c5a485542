package org.apache.hadoop.clone.crac;

/** As {@code org.crac.RestoreException}: a resource couldn't be taken up again. */
public final class RestoreException extends Exception {
    private static final long serialVersionUID = 1L;

    RestoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
