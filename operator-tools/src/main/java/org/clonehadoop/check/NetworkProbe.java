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
package org.clonehadoop.check;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tries connections between nodes, by {@code probe-network}. */
final class NetworkProbe {
    /** For one connection: what TCP needs for a second SYN, and a round trip. */
    private static final int SECONDS = 3;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RemoteScript script;

    private record Target(String to, int port) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Failed(String to, int port, String why) {}

    /**
     * @param processes those that it runs are among
     * @param via the words that run a command on a host, {@code {}} being its name
     * @param limitSeconds for all of a node's connections
     */
    NetworkProbe(ProbeProcesses processes, List<String> via, long limitSeconds) {
        script = new RemoteScript(processes, "probe-network", via, limitSeconds);
    }

    /**
     * Which of the others, at the ports that they have free, this node can't connect to; or the one
     * reason that it tried none.
     */
    List<Unreachable> from(Node node, List<Node> others) {
        List<Target> targets =
                others.stream()
                        .filter(other -> other != node)
                        .flatMap(NetworkProbe::targets)
                        .toList();
        if (targets.isEmpty()) {
            return List.of();
        }
        try {
            return failed(script.run(node.name(), arguments(targets))).stream()
                    .map(one -> new Unreachable(node.name(), one.to, one.port, one.why))
                    .toList();
        } catch (RemoteScript.NoAnswerException | JsonProcessingException e) {
            return List.of(
                    Unreachable.notTried(node.name(), RemoteScript.firstLine(e.getMessage())));
        }
    }

    private static Stream<Target> targets(Node node) {
        return node.facts().freePorts().stream().map(port -> new Target(node.name(), port));
    }

    private static List<String> arguments(List<Target> targets) {
        List<String> arguments = new ArrayList<>();
        arguments.add(String.valueOf(SECONDS));
        targets.forEach(target -> arguments.add(target.to + ":" + target.port));
        return arguments;
    }

    /** By the last line: a login may print others. */
    private static List<Failed> failed(String answer) throws JsonProcessingException {
        String last = answer.lines().reduce("", (one, next) -> next);
        return List.of(JSON.readValue(last, Failed[].class));
    }
}
