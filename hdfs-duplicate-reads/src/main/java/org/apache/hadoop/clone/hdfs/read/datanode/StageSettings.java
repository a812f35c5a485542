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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.ProbingLimit;
import org.apache.hadoop.conf.Configuration;

/**
 * What a DataNode's configuration says of its stage.
 *
 * @param limit copies served at once of a volume, from 1; 0 to find it
 * @param queue copies that wait at most, of each priority, from 1
 * @param maxWaitMillis more than 0
 * @param trafficClass 0 to 255
 * @param idle whether duplicates read in the disk's idle class
 */
record StageSettings(
        Yield yield, int limit, int queue, long maxWaitMillis, int trafficClass, boolean idle) {

    /** To what else duplicates give way. */
    enum Yield {
        VOLUME,
        ACTIVE,
        NODE,
        NONE
    }

    private enum IoClass {
        IDLE,
        NONE
    }

    private static final int MOST_TRAFFIC_CLASS = 255;

    /**
     * @throws IllegalArgumentException saying which key is wrong, and what to set it to
     */
    static StageSettings of(Configuration conf) {
        return new StageSettings(
                choice(
                        conf,
                        DuplicateReadKeys.YIELD,
                        Yield.valueOf(upper(DuplicateReadKeys.YIELD_DEFAULT))),
                number(
                        conf,
                        DuplicateReadKeys.LIMIT,
                        DuplicateReadKeys.LIMIT_DEFAULT,
                        0,
                        Integer.MAX_VALUE),
                number(
                        conf,
                        DuplicateReadKeys.QUEUE,
                        DuplicateReadKeys.QUEUE_DEFAULT,
                        1,
                        Integer.MAX_VALUE),
                maxWait(conf),
                number(
                        conf,
                        DuplicateReadKeys.TRAFFIC_CLASS,
                        DuplicateReadKeys.TRAFFIC_CLASS_DEFAULT,
                        0,
                        MOST_TRAFFIC_CLASS),
                choice(
                                conf,
                                DuplicateReadKeys.IO_CLASS,
                                IoClass.valueOf(upper(DuplicateReadKeys.IO_CLASS_DEFAULT)))
                        == IoClass.IDLE);
    }

    private static <E extends Enum<E>> E choice(Configuration conf, String key, E preset) {
        String value = conf.getTrimmed(key, preset.name());
        for (E each : preset.getDeclaringClass().getEnumConstants()) {
            if (each.name().equals(upper(value))) {
                return each;
            }
        }
        String choices =
                Arrays.stream(preset.getDeclaringClass().getEnumConstants())
                        .map(each -> each.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(" or "));
        throw new IllegalArgumentException(key + " is '" + value + "': set it to " + choices);
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static int number(Configuration conf, String key, int preset, int least, int most) {
        String value = conf.getTrimmed(key, Integer.toString(preset));
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As if it were too large.
        }
        throw new IllegalArgumentException(
                key + " is '" + value + "': set it to a number from " + least + " to " + most);
    }

    private static long maxWait(Configuration conf) {
        String value =
                conf.getTrimmed(DuplicateReadKeys.MAX_WAIT, DuplicateReadKeys.MAX_WAIT_DEFAULT);
        long millis = 0;
        try {
            millis =
                    conf.getTimeDurationHelper(
                            DuplicateReadKeys.MAX_WAIT, value, TimeUnit.MILLISECONDS);
        } catch (NumberFormatException e) {
            // As if it were too short.
        }
        if (millis > 0 && millis <= Integer.MAX_VALUE) {
            return millis;
        }
        throw new IllegalArgumentException(
                DuplicateReadKeys.MAX_WAIT
                        + " is '"
                        + value
                        + "': set it to a time of more than 0, as '10s'");
    }

    /** For one volume. */
    Limit newLimit() {
        return limit == 0 ? new ProbingLimit() : Limit.fixed(limit);
    }
}
