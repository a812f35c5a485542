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
package org.clonehadoop.simulator.platform;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was measured, where each value is from, and of when it is. */
public record CostSheet(Map<Cost, Value> values) {
    /** What a cost book needs to know; the names are those of the file. */
    public enum Cost {
        /** From the launch of a clone's container until it runs, without what travels. */
        VM_MS,
        /** At which its files and its image travel, at the most. */
        MEGABYTES_PER_S,
        /** How long the original stands still. */
        FREEZE_MS,
        /** Until a task's agent answers. */
        ANSWER_MS,
        /** What a task's process has in memory. */
        MEMORY_MB,
        /** Seconds of a processor for a task's JVM until it works. */
        JVM_CPU_S,
        /** Seconds of a processor for a megabyte that a map of a sort reads. */
        MAP_CPU_S_PER_MB,
        /** Seconds of a processor for a megabyte that a reduce of a sort fetches. */
        REDUCE_CPU_S_PER_MB
    }

    /**
     * @param source for people
     * @param date of the measurement, {@code 2026-11-23}
     */
    public record Value(double value, String source, String date) {}

    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    /** What was measured last. */
    public static CostSheet measured() {
        try (InputStream in = CostSheet.class.getResourceAsStream("measured.json")) {
            return of(JSON.readValue(in, new TypeReference<LinkedHashMap<Cost, Value>>() {}));
        } catch (IOException e) {
            throw new UncheckedIOException("measured.json", e);
        }
    }

    /**
     * @throws IOException if the file can't be read, or a cost is missing
     */
    public static CostSheet read(Path file) throws IOException {
        return of(
                JSON.readValue(file.toFile(), new TypeReference<LinkedHashMap<Cost, Value>>() {}));
    }

    private static CostSheet of(Map<Cost, Value> values) throws IOException {
        for (Cost cost : Cost.values()) {
            if (values.get(cost) == null) {
                throw new IOException("there is no " + cost);
            }
        }
        return new CostSheet(values);
    }

    public void write(Path file) throws IOException {
        JSON.writeValue(file.toFile(), values);
    }

    /** With another value. */
    public CostSheet with(Cost cost, Value value) {
        Map<Cost, Value> all = new LinkedHashMap<>(values);
        all.put(cost, value);
        return new CostSheet(all);
    }

    double of(Cost cost) {
        return values.get(cost).value();
    }
}
