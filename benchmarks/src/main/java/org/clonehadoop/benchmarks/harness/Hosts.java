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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The hosts, numbered from 1, that the run script made of network namespaces with {@code hosts_up}.
 * It exports the functions of {@code hosts.bash}, and takes the hosts down in the end.
 */
public final class Hosts {
    private final String[] holders;

    public Hosts() {
        String pids = System.getenv("HOST_PIDS");
        if (pids == null) {
            throw new IllegalStateException("no hosts: start this benchmark by its run script");
        }
        holders = pids.strip().split(" ");
    }

    /** A command that runs there, under the pid that it is started with. */
    public List<String> on(int host, List<String> command) {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("nsenter", "--net=/proc/" + holders[host] + "/ns/net", "--"));
        words.addAll(command);
        return words;
    }

    public String address(int host) throws IOException, InterruptedException {
        return call("host_address", String.valueOf(host));
    }

    /** In both directions, e.g. {@code 1gbit}; {@code none} takes the limit off. */
    public void linkRate(int host, String rate) throws IOException, InterruptedException {
        call("link_rate", String.valueOf(host), rate);
    }

    private static String call(String... function) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-euc", "\"$@\"", "hosts.bash"));
        command.addAll(List.of(function));
        Process bash =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output =
                new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (bash.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", function));
        }
        return output;
    }
}
