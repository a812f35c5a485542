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
package org.clonehadoop.benchmarks.remoteclone;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One clone, as the tool's two ends, the original and the clone saw it.
 *
 * @param lostMs the original's longest gap between two ticks, less its usual one
 * @param firstTickMs from pull's start until the clone ticks, by the wall clock
 * @param copyMs the yardstick, just before and just after the clone
 */
record CloneTimes(JsonNode serve, JsonNode pull, double lostMs, double firstTickMs, double copyMs) {
    double imageBytes() {
        return number(serve, "image_bytes");
    }

    double sentBytes() {
        return number(serve, "wire_sent_bytes");
    }

    double freezeMs() {
        return number(serve, "freeze_ms");
    }

    double restoreMs() {
        return number(pull, "restore_ms");
    }

    /** From pull's start until the clone runs. */
    double totalMs() {
        return number(pull, "total_ms");
    }

    /** A phase on the original's side, such as {@code quiesce}. */
    double serveMs(String phase) {
        return number(serve, phase + "_ms");
    }

    private static double number(JsonNode report, String key) {
        if (!report.path(key).isNumber()) {
            throw new IllegalArgumentException("no " + key + " in the report " + report);
        }
        return report.get(key).doubleValue();
    }
}
