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
package org.apache.hadoop.clone.hdfs.read;

import java.util.OptionalDouble;

/**
 * What is known of one DataNode's speed, in a word, which is either all of it or none:
 *
 * <pre>
 *   24 bits  which DataNode, by its hash; never 0, so that a word of 0 is nobody's
 *   20 bits  when, in seconds, from the last 12 days
 *   20 bits  microseconds that a packet of 64 KB takes, up to a second
 * </pre>
 */
final class SpeedWord {
    /** After which nothing is known any more: the slow may have become fast. */
    static final int FORGOTTEN_SECONDS = 60;

    private static final int FIELD_BITS = 20;
    private static final long FIELD = (1L << FIELD_BITS) - 1;
    private static final int NAME_BITS = 24;
    private static final long NAME = (1L << NAME_BITS) - 1;

    private SpeedWord() {}

    /**
     * @param name any bits; as many as fit are kept
     * @param micros not negative
     */
    static long of(long name, long seconds, double micros) {
        return name(name) << 2 * FIELD_BITS
                | (seconds & FIELD) << FIELD_BITS
                | Math.min(FIELD, Math.round(micros));
    }

    private static long name(long any) {
        return Math.max(1, any & NAME);
    }

    /** Whether it is of that DataNode, or of another with the same bits. */
    static boolean isOf(long word, long name) {
        return word >>> 2 * FIELD_BITS == name(name);
    }

    /** Whether its place may be another's. */
    static boolean isForgotten(long word, long nowSeconds) {
        return word == 0 || ageSeconds(word, nowSeconds) > FORGOTTEN_SECONDS;
    }

    // What is from the future, by a clock that was set back, is very old.
    private static long ageSeconds(long word, long nowSeconds) {
        return nowSeconds - (word >>> FIELD_BITS) & FIELD;
    }

    /** Empty if it is forgotten. */
    static OptionalDouble micros(long word, long nowSeconds) {
        return isForgotten(word, nowSeconds)
                ? OptionalDouble.empty()
                : OptionalDouble.of(word & FIELD);
    }
}
