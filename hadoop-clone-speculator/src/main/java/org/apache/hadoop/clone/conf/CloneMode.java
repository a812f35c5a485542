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
package org.apache.hadoop.clone.conf;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.conf.Configuration;

/** How much of CloneHadoop acts: {@value CloneKeys#MODE}. */
@InterfaceAudience.Public
@InterfaceStability.Evolving
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
