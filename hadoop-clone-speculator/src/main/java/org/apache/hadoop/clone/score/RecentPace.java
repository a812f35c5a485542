package org.apache.hadoop.clone.score;

/**
 * How an attempt got on lately, which its whole runtime so far says little of.
 *
 * @param perMilli the share of its work that it does in a millisecond, from 0; NaN if it hasn't
 *     been watched for long enough
 * @param silent it hasn't moved for so long that an estimate says nothing any more
 */
public record RecentPace(double perMilli, boolean silent) {
    /** Nothing is known but that it moves. */
    public static final RecentPace UNKNOWN = new RecentPace(Double.NaN, false);
}
