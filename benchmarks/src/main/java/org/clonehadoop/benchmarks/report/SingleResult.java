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

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one benchmark wrote with {@code --json}, kept as {@code NAME-COMMIT.json}.
 *
 * @param values as they are read, without the environment and what is a list
 * @param command that wrote it; empty if the file doesn't say
 */
record SingleResult(
        String name,
        String commit,
        Map<String, String> values,
        String machine,
        Optional<String> command) {
    /** Where it was put is nobody's business. */
    private static final Pattern FILES = Pattern.compile(" --(json|out)[ =]\\S+");

    private static final Pattern FILE = Pattern.compile("(.+)-([0-9a-f]{7,40})\\.json");
    private static final TypeReference<LinkedHashMap<String, Object>> FLAT =
            new TypeReference<>() {};

    /**
     * @throws IOException if the file can't be read, or isn't named so
     */
    @SuppressWarnings("unchecked")
    static SingleResult read(Path file) throws IOException {
        Matcher name = FILE.matcher(file.getFileName().toString());
        if (!name.matches()) {
            throw new IOException(file + ": not named NAME-COMMIT.json");
        }
        Map<String, Object> all = new ObjectMapper().readValue(file.toFile(), FLAT);
        Map<String, Object> environment =
                (Map<String, Object>) all.getOrDefault("environment", Map.of());
        all.remove("environment");
        Map<String, String> values = new LinkedHashMap<>();
        all.forEach((key, value) -> put(values, key, value));
        return new SingleResult(
                name.group(1),
                name.group(2),
                values,
                environment.isEmpty() ? "" : machine(environment),
                Optional.ofNullable((String) environment.get("command"))
                        .map(command -> FILES.matcher(command).replaceAll("")));
    }

    /** A spread is its median; what else it holds has that key before its own. */
    private static void put(Map<String, String> values, String key, Object value) {
        if (value instanceof Map<?, ?> spread) {
            spread.forEach(
                    (of, number) ->
                            values.put(
                                    of.equals("median") ? key : key + "_" + of,
                                    String.valueOf(number)));
        } else if (!(value instanceof List)) {
            values.put(key, String.valueOf(value));
        }
    }

    /**
     * @throws IllegalArgumentException if there is no such key
     */
    double number(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(name + "-" + commit + ".json: no " + key);
        }
        return Double.parseDouble(value);
    }

    /** The processor and how many, for people. */
    static String machine(Map<String, Object> environment) {
        return environment.getOrDefault("cores", "?")
                + " × "
                + environment.getOrDefault("cpu", "unknown")
                + ", "
                + environment.getOrDefault("kernel", "unknown kernel")
                + shares(environment);
    }

    private static String shares(Map<String, Object> environment) {
        if (environment.containsKey("host_cpu_percent")) {
            return ", " + environment.get("host_cpu_percent") + " % of one for each host";
        }
        return environment.containsKey("equal_shares")
                ? ", equal shares for " + environment.get("equal_shares")
                : "";
    }
}
