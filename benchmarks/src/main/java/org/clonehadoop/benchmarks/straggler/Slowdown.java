/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.clonehadoop.benchmarks.straggler;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * How much longer than by itself each attempt takes, as a function of nothing but the configuration
 * and the attempt's id: an attempt of the same number is as slow in every run of the job, and a
 * clone, which has an id of its own, isn't as slow as its original.
 *
 * <p>An attempt that works for t waits for {@link #of} × t more. For attempts that {@link
 * #ATTEMPTS} doesn't name, that is exp(shape × z) × scale, z from a standard normal distribution:
 * log-normal with median scale.
 */
public final class Slowdown {
    static final String PREFIX = "clonehadoop.straggler.";

    /** Attempts and how slow they are, e.g. {@code m_000003_0=4,r_000000_0=1.5}. */
    public static final String ATTEMPTS = PREFIX + "attempts";

    /** Median of all other attempts' slowdown; 0, the default, for none. */
    public static final String SCALE = PREFIX + "scale";

    /** σ of the log-normal distribution, 1 unless it is set: the larger, the fewer and slower. */
    public static final String SHAPE = PREFIX + "shape";

    /** No more than this of those that are drawn; unless it is set all may be. */
    public static final String MOST = PREFIX + "most";

    /** Another seed makes others straggle. */
    public static final String SEED = PREFIX + "seed";

    /**
     * How many records every attempt works at full speed before it is slow at all; 0 by default.
     */
    public static final String AFTER_RECORDS = PREFIX + "after-records";

    /**
     * For how many microseconds every attempt waits at each record, as if a service or a disk took
     * them; 0 by default. They are of its own time, which a slow one takes more of.
     */
    public static final String PACE = PREFIX + "pace-micros";

    static final Set<String> KEYS = Set.of(ATTEMPTS, SCALE, SHAPE, MOST, SEED, AFTER_RECORDS, PACE);

    private final Map<String, Double> attempts = new HashMap<>();
    private final double scale;
    private final double shape;
    private final double most;
    private final long seed;
    private final long afterRecords;
    private final long paceNanos;

    /**
     * @throws IllegalArgumentException if a value is none, or negative
     */
    public Slowdown(Configuration configuration) {
        for (String entry : configuration.getTrimmedStrings(ATTEMPTS)) {
            String[] parts = entry.split("=", -1);
            if (parts.length != 2 || !parts[0].matches("[mr]_\\d{6,}_\\d+")) {
                throw new IllegalArgumentException(
                        ATTEMPTS + ": '" + entry + "' is not like m_000003_0=4");
            }
            attempts.put(parts[0], notNegative(ATTEMPTS, Double.parseDouble(parts[1])));
        }
        scale = notNegative(SCALE, configuration.getDouble(SCALE, 0));
        shape = notNegative(SHAPE, configuration.getDouble(SHAPE, 1));
        most = notNegative(MOST, configuration.getDouble(MOST, Double.POSITIVE_INFINITY));
        seed = configuration.getLong(SEED, 1);
        afterRecords = notNegative(AFTER_RECORDS, configuration.getLong(AFTER_RECORDS, 0));
        paceNanos =
                TimeUnit.MICROSECONDS.toNanos(notNegative(PACE, configuration.getLong(PACE, 0)));
    }

    /** Time to wait over time worked, 0 or more. */
    public double of(TaskAttemptID attempt) {
        String name = name(attempt);
        Double listed = attempts.get(name);
        if (listed != null) {
            return listed;
        }
        return scale == 0 ? 0 : Math.min(most, scale * Math.exp(shape * standardNormal(name)));
    }

    /** Records before the slowdown begins. */
    long afterRecords() {
        return afterRecords;
    }

    /** For how long every attempt waits at each record. */
    long paceNanos() {
        return paceNanos;
    }

    private static String name(TaskAttemptID attempt) {
        char type = attempt.getTaskType() == TaskType.REDUCE ? 'r' : 'm';
        return String.format("%c_%06d_%d", type, attempt.getTaskID().getId(), attempt.getId());
    }

    private double standardNormal(String name) {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.US_ASCII));
        return new SplittableRandom(seed ^ hash.getValue() << 32).nextGaussian();
    }

    private static double notNegative(String key, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(key + ": " + value + " is less than 0");
        }
        return value;
    }

    private static long notNegative(String key, long value) {
        notNegative(key, (double) value);
        return value;
    }
}
