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
package org.clonehadoop.benchmarks.harness;

import java.util.List;
import java.util.Locale;

/** What a key measures, as the key itself says: {@code freeze_ms}, {@code image_bytes}. */
enum Unit {
    MILLISECONDS("ms", "%.1f", 1),
    BYTES("MB", "%.1f", 1e-6),
    INSTRUCTIONS("million", "%.1f", 1e-6),
    COUNT("", "%.0f", 1),
    RATIO("", "%.3f", 1);

    private final String symbol;
    private final String format;
    private final double factor;

    Unit(String symbol, String format, double factor) {
        this.symbol = symbol;
        this.format = format;
        this.factor = factor;
    }

    static Unit ofKey(String key) {
        List<String> words = List.of(key.split("_"));
        if (words.contains("over")
                || words.contains("ratio")
                || words.contains("speedup")
                || words.contains("gain")) {
            return RATIO;
        }
        if (words.contains("unstable")
                || words.contains("requests")
                || words.contains("packets")
                || words.contains("duplicates")) {
            return COUNT;
        }
        if (words.contains("ms")) {
            return MILLISECONDS;
        }
        if (words.contains("bytes")) {
            return BYTES;
        }
        if (words.contains("instructions")) {
            return INSTRUCTIONS;
        }
        throw new IllegalArgumentException("the key " + key + " names no unit");
    }

    String symbol() {
        return symbol;
    }

    String format(double value) {
        return String.format(Locale.ROOT, format, value * factor);
    }
}
