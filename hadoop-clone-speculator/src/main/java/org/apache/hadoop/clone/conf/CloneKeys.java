package org.apache.hadoop.clone.conf;

/** All keys of ours, with their defaults. docs/configuration.md is their reference. */
public final class CloneKeys {
    private static final String PREFIX = "mapreduce.clone.";

    /** {@code off}, {@code shadow} or {@code on}: see {@link CloneMode}. */
    public static final String MODE = PREFIX + "mode";

    public static final String MODE_DEFAULT = "on";

    /** β of the paper, at least 1. */
    public static final String BETA = PREFIX + "beta";

    public static final double BETA_DEFAULT = 1.2;

    /** t̄_vm of the paper before the first clone, in milliseconds, more than 0. */
    public static final String VM_MILLIS = PREFIX + "vm-millis";

    public static final long VM_MILLIS_DEFAULT = 3000;

    /** B̄ of the paper before the first clone, in bytes per second, more than 0. */
    public static final String BANDWIDTH = PREFIX + "bandwidth-per-second";

    public static final String BANDWIDTH_DEFAULT = "100m";

    private CloneKeys() {}
}
