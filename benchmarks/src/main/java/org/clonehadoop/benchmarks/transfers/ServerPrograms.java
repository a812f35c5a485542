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
package org.clonehadoop.benchmarks.transfers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.benchmarks.harness.Hosts;
import org.clonehadoop.benchmarks.harness.Programs;

/** Servers on hosts of their own, from host 2 on; the client is on host 1. */
public final class ServerPrograms {
    static final int CLIENT = 1;
    private static final int PORT = 7777;

    private ServerPrograms() {}

    /**
     * @param log for their complaints
     */
    public static List<InetSocketAddress> start(int count, Programs programs, Path log)
            throws IOException, InterruptedException {
        Hosts hosts = new Hosts();
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int host = CLIENT + 1; host <= CLIENT + count; host++) {
            List<String> command =
                    List.of(
                            "setpriv",
                            "--pdeathsig",
                            "KILL",
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-Djava.net.preferIPv4Stack=true",
                            "-cp",
                            System.getProperty("java.class.path"),
                            TransferServer.class.getName(),
                            String.valueOf(PORT));
            Process process = programs.converse(hosts.on(host, command), log);
            String line =
                    new BufferedReader(
                                    new InputStreamReader(
                                            process.getInputStream(), StandardCharsets.UTF_8))
                            .readLine();
            if (line == null) {
                throw new IOException("a server didn't start: see " + log);
            }
            addresses.add(new InetSocketAddress(hosts.address(host), PORT));
        }
        return addresses;
    }
}
