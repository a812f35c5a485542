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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine, as far as numbers depend on it, and what was run there. */
public final class Environment {
    private static final String MEMORY = "/proc/meminfo";

    private Environment() {}

    /** Ready for JSON, in the order people read it; in part as the run script tells. */
    public static Map<String, Object> describe() throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("cpu", ProcFile.read("/proc/cpuinfo").text("model name").orElse("unknown"));
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("memory_mb", ProcFile.read(MEMORY).kilobytes("MemTotal") / 1024);
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.version"));
        putVariable(facts, "criu", "CRIU_VERSION");
        putVariable(facts, "hadoop", "BENCHMARK_HADOOP");
        facts.put("load_before", loadAverage());
        putVariable(facts, "command", "BENCHMARK_COMMAND");
        putVariable(facts, "commit", "BENCHMARK_COMMIT");
        return facts;
    }

    private static void putVariable(Map<String, Object> facts, String fact, String variable) {
        String value = System.getenv(variable);
        if (value != null && !value.isEmpty()) {
            facts.put(fact, value);
        }
    }

    /** What the machine could still give to programs. */
    public static long availableMegabytes() throws IOException {
        return ProcFile.read(MEMORY).kilobytes("MemAvailable") / 1024;
    }

    /** What RAM disks and other shared memory hold. */
    public static long sharedKilobytes() throws IOException {
        return ProcFile.read(MEMORY).kilobytes("Shmem");
    }

    /** Others' work on this machine, as of the last minute: above 1, distrust the numbers. */
    private static double loadAverage() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
    }
}
