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
package org.clonehadoop.simulator.calibrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.clonehadoop.simulator.platform.CostSheet;
import org.clonehadoop.simulator.platform.CostSheet.Cost;

/** Takes what files of benchmarks tell of a {@link CostSheet}'s values; the others stay. */
final class Fit {
    private static final double MEGABYTE = 1 << 20;

    /**
     * Of whom, what and how: {@code scripts/tune}, {@code map-clone} and {@code map-cost} with
     * {@code --json}.
     */
    private record Source(String benchmark, Cost cost, Function<JsonNode, OptionalDouble> value) {}

    private static final List<Source> SOURCES =
            List.of(
                    new Source("scripts/tune", Cost.VM_MS, at("/vm_ms/median", 1)),
                    new Source(
                            "scripts/tune",
                            Cost.MEGABYTES_PER_S,
                            at("/bytes_per_s/median", 1 / MEGABYTE)),
                    new Source(
                            "benchmarks/map-clone", Cost.FREEZE_MS, at("/boundary_freeze_ms", 1)),
                    new Source(
                            "benchmarks/map-clone",
                            Cost.MEMORY_MB,
                            at("/midspill_image_bytes", 1 / MEGABYTE)),
                    // What its maps take is of cold JVMs: no measure for maps of gigabytes.
                    new Source(
                            "benchmarks/map-cost",
                            Cost.JVM_CPU_S,
                            at("/start_stock_cpu_ms", 1e-3)));

    private Fit() {}

    private static Function<JsonNode, OptionalDouble> at(String pointer, double unit) {
        return json -> {
            JsonNode value = json.at(pointer);
            return value.isNumber()
                    ? OptionalDouble.of(value.asDouble() * unit)
                    : OptionalDouble.empty();
        };
    }

    /**
     * What one file tells.
     *
     * @return not empty
     * @throws IOException if it can't be read, or tells nothing
     */
    static Map<Cost, CostSheet.Value> values(Path file, LocalDate date) throws IOException {
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        Map<Cost, CostSheet.Value> values = new LinkedHashMap<>();
        for (Source source : SOURCES) {
            OptionalDouble value = source.value().apply(json);
            if (value.isPresent()) {
                values.put(
                        source.cost(),
                        new CostSheet.Value(
                                value.getAsDouble(),
                                source.benchmark() + ", " + file.getFileName(),
                                date.toString()));
            }
        }
        if (values.isEmpty()) {
            throw new IOException(
                    file + ": not of scripts/tune, benchmarks/map-clone or benchmarks/map-cost");
        }
        return values;
    }
}
