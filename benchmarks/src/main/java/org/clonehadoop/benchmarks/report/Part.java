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
package org.clonehadoop.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the page says of one benchmark's keys: the few that answer its question, in words. {@code
 * parts.json} has all, in the page's order; every key stays in the benchmark's own JSON.
 *
 * @param name the benchmark's, of which files are {@code NAME-COMMIT.json}
 * @param title for people
 * @param page that explains what is measured, from docs/
 * @param command under benchmarks/, that makes the file, where the file itself doesn't say
 */
record Part(
        @JsonProperty(value = "name", required = true) String name,
        @JsonProperty(value = "title", required = true) String title,
        @JsonProperty(value = "page", required = true) String page,
        @JsonProperty(value = "command", required = true) String command,
        @JsonProperty(value = "rows", required = true) List<Row> rows) {
    private static final String RESOURCE = "parts.json";

    /**
     * One key.
     *
     * @param unit behind the number, such as "ms"
     * @param per what the key's value is divided by for that unit
     * @param atMost what is aimed at; null for nothing, or for at least
     * @param atLeast what is aimed at; null for nothing, or for at most
     * @param requests key of how many requests a p99 is of; null if it is none
     */
    record Row(
            @JsonProperty(value = "what", required = true) String what,
            @JsonProperty(value = "key", required = true) String key,
            @JsonProperty("unit") String unit,
            @JsonProperty("per") Double per,
            @JsonProperty("at_most") Double atMost,
            @JsonProperty("at_least") Double atLeast,
            @JsonProperty("requests") String requests) {
        /** As many as a p99 needs: ten are beyond it. */
        private static final int ENOUGH_REQUESTS = 1000;

        /** The value, and its interval if the benchmark wrote one; empty without the key. */
        Optional<String> value(Map<String, String> values) {
            return Optional.ofNullable(values.get(key))
                    .map(value -> withUnit(number(value)) + range(values) + of(values));
        }

        private Optional<String> requests(Map<String, String> values) {
            return Optional.ofNullable(requests).map(values::get);
        }

        private String of(Map<String, String> values) {
            return requests(values).map(count -> ", of " + number(count) + " requests").orElse("");
        }

        private boolean areFew(Map<String, String> values) {
            return requests(values)
                    .filter(count -> Double.parseDouble(count) < ENOUGH_REQUESTS)
                    .isPresent();
        }

        /** What mustn't be at all is seen in one run as well. */
        private boolean areFewRuns(Map<String, String> values) {
            boolean isCount = atMost != null && atMost == 0;
            return requests == null
                    && !isCount
                    && values.containsKey("runs")
                    && Double.parseDouble(values.get("runs")) < Verdict.RUNS;
        }

        private String range(Map<String, String> values) {
            for (String ends : List.of("_low _high", "_min _max")) {
                String low = values.get(key + ends.split(" ")[0]);
                String high = values.get(key + ends.split(" ")[1]);
                if (low != null && high != null && !low.equals(high)) {
                    return " (" + number(low) + "–" + number(high) + ")";
                }
            }
            return "";
        }

        // Words such as true stay as they are.
        private String number(String value) {
            double scaled;
            try {
                scaled = scaled(value);
            } catch (NumberFormatException word) {
                return value;
            }
            if (isWhole(scaled)) {
                return whole(scaled);
            }
            int digits = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2;
            return String.format(Locale.ROOT, "%." + digits + "f", scaled);
        }

        /** Such as "≤ 1.05: reached"; empty if nothing is aimed at. */
        String aim(Map<String, String> values) {
            if (atMost == null && atLeast == null) {
                return "";
            }
            String aim = atMost != null ? "≤ " + said(atMost) : "≥ " + said(atLeast);
            return withUnit(aim)
                    + ": "
                    + verdict(values).text()
                    + (areFew(values) ? ", by too few requests" : "")
                    + (areFewRuns(values) ? ", by too few runs" : "");
        }

        /** By all of the interval, if the benchmark wrote one; else by the number. */
        private Verdict verdict(Map<String, String> values) {
            boolean low = isReached(values.getOrDefault(key + "_low", values.get(key)));
            boolean high = isReached(values.getOrDefault(key + "_high", values.get(key)));
            if (low != high) {
                return Verdict.OPEN;
            }
            return low ? Verdict.REACHED : Verdict.MISSED;
        }

        private boolean isReached(String value) {
            double scaled = scaled(value);
            return atMost != null ? scaled <= atMost : scaled >= atLeast;
        }

        // With all digits that it was set with.
        private static String said(double aim) {
            return isWhole(aim) ? whole(aim) : String.valueOf(aim);
        }

        private static boolean isWhole(double number) {
            return number == Math.rint(number);
        }

        private static String whole(double number) {
            return String.format(Locale.ROOT, "%.0f", number);
        }

        private double scaled(String value) {
            return Double.parseDouble(value) / (per == null ? 1 : per);
        }

        private String withUnit(String number) {
            return unit == null ? number : number + " " + unit;
        }
    }

    /** Whether it is of reads, requests or the network, and says nothing of clones. */
    boolean isOfReads() {
        return page.startsWith("duplicate-reads") || page.startsWith("request-cloning");
    }

    /** All, in the page's order. */
    static List<Part> all() {
        try (InputStream parts = Part.class.getResourceAsStream(RESOURCE)) {
            return new ObjectMapper().readValue(parts, new TypeReference<>() {});
        } catch (IOException bad) {
            throw new UncheckedIOException(RESOURCE + ": " + bad.getMessage(), bad);
        }
    }
}
