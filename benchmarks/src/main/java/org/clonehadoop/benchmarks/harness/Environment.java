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

/** The machine, as far as numbers depend on it. */
public final class Environment {
    private static final String MEMORY = "/proc/meminfo";

    private Environment() {}

    /** Ready for JSON, in the order people read it. CRIU's version is what the run script found. */
    public static Map<String, Object> describe() throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("cpu", ProcFile.read("/proc/cpuinfo").text("model name").orElse("unknown"));
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("memory_mb", ProcFile.read(MEMORY).kilobytes("MemTotal") / 1024);
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.version"));
        String criu = System.getenv("CRIU_VERSION");
        if (criu != null) {
            facts.put("criu", criu);
        }
        facts.put("load_before", loadAverage());
        return facts;
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
