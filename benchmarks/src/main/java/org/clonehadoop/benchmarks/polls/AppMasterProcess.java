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
package org.clonehadoop.benchmarks.polls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ThreadlessConnection;
import org.apache.hadoop.security.UserGroupInformation;
import org.clonehadoop.benchmarks.harness.Poll;
import org.clonehadoop.benchmarks.harness.ProcFile;
import org.clonehadoop.benchmarks.harness.Programs;

/** A server of an AppMaster in a JVM of its own, and what it takes. */
final class AppMasterProcess {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Programs programs;
    private final Path scratch;
    private final Process process;
    private final Configuration conf = new Configuration();
    private final InetSocketAddress address;
    private final UserGroupInformation job;

    /**
     * @param main takes a file's name, and writes a {@link JobAccess} there
     * @param scratch for its files
     */
    AppMasterProcess(Programs programs, Class<?> main, Path scratch) throws Exception {
        this.programs = programs;
        this.scratch = scratch;
        Path ready = scratch.resolve("server");
        process =
                programs.start(
                        List.of(
                                "java",
                                "-Xmx1024m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName(),
                                ready.toString()),
                        scratch.resolve("server.log"));
        Poll.until("the server is there", LIMIT, () -> Files.exists(ready));
        JobAccess access = JobAccess.read(ready);
        address = access.socketAddress();
        job = access.user();
    }

    /** As one of the job's tasks. */
    ThreadlessConnection connect(Class<?> protocol) throws IOException {
        return new ThreadlessConnection(address, protocol, job, conf);
    }

    long cpuMillis() {
        return process.info().totalCpuDuration().orElseThrow().toMillis();
    }

    long threads() throws IOException {
        return Long.parseLong(ProcFile.read(status()).text("Threads").orElseThrow());
    }

    double residentBytes() throws IOException {
        return ProcFile.read(status()).kilobytes("VmRSS") * 1024.0;
    }

    private String status() {
        return "/proc/" + process.pid() + "/status";
    }

    /** What its heap holds after a collection. */
    long liveHeapBytes() throws IOException, InterruptedException {
        Path output = scratch.resolve("histogram");
        programs.start(List.of("jcmd", Long.toString(process.pid()), "GC.class_histogram"), output)
                .waitFor();
        return Files.readAllLines(output).stream()
                .filter(line -> line.startsWith("Total"))
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[2]))
                .findFirst()
                .orElseThrow(() -> new IOException("jcmd says nothing of the server's heap"));
    }
}
