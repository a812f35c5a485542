package org.apache.hadoop.clone.conf;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** How much of CloneHadoop acts: {@value CloneKeys#MODE}. */
public enum CloneMode {
    /** Stock Hadoop's speculation, bit by bit. */
    OFF,
    /** Stock Hadoop's speculation; what would have been cloned is only logged. */
    SHADOW,
    /** Stragglers are cloned, or started again where that is better. */
    ON;

    /**
     * @throws IllegalArgumentException if the value is none of the modes
     */
    public static CloneMode of(Configuration conf) {
        String value = conf.getTrimmed(CloneKeys.MODE, CloneKeys.MODE_DEFAULT);
        return Arrays.stream(values())
                .filter(mode -> mode.name().equals(value.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        CloneKeys.MODE
                                                + " is '"
                                                + value
                                                + "': set it to off, shadow or on"));
    }
}
