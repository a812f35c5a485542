package org.apache.hadoop.clone.appmaster;

/** What can happen to a clone. */
enum CloneEvent {
    /** The original can be cloned. */
    ABLE,
    /** It can't, or what was begun failed before the clone ran. */
    REFUSED,
    /** Scored again, an attempt from zero ends sooner than the clone. */
    VETOED,
    /** The clone's attempt is about to be launched in its container. */
    CONTAINER,
    /** The original waits for the clone's container. */
    OFFERED,
    /** The original may freeze. */
    FROZEN,
    /** The restored process has asked who it is. */
    BECAME,
    /** It runs as its attempt. */
    REGISTERED,
    /** The original's attempt has ended, in whatever way. */
    ORIGINAL_ENDED,
    /** The clone's attempt has succeeded. */
    CLONE_SUCCEEDED,
    /** The clone's attempt has ended in another way, as others wanted it or for another's fault. */
    CLONE_ENDED,
    /** What was launched to be the clone has failed by itself. */
    CLONE_FAILED,
    /** The present state has lasted too long. */
    TIME_OUT
}
