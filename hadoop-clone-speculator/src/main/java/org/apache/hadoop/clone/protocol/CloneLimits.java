package org.apache.hadoop.clone.protocol;

/**
 * How long a clone may take, from the order to offer it on.
 *
 * @param patienceMillis until its original is frozen; then the clone's container begins the task at
 *     zero. At least 1, at most {@code limitMillis}
 * @param limitMillis until it runs
 */
public record CloneLimits(long patienceMillis, long limitMillis) {}
