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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/** A node that is as it should be, and others that differ from it. */
final class Facts {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String GOOD =
            """
            {"time_ms": 1000000, "end_ms": 1002000, "host": "h1", "kernel": "6.1.0-13-amd64", "architecture": "x86_64",
             "cpu": "a CPU", "ptrace_scope": 0, "user_namespaces": 1000, "pid_max": 32768,
             "user": {"name": "yarn", "uid": 34, "gid": 35, "groups": ["clone", "yarn"]},
             "tool": {"path": "/opt/tool", "sha256": "0123456789abcdef", "checked_as": "yarn",
               "check": {"able": true,
                 "requirements": [{"name": "criu", "status": "pass", "detail": "4.2.1"}],
                 "host": {"criu": "4.2.1", "kernel": "6.1.0-13-amd64", "architecture": "x86_64",
                   "page_size": 4096, "cpu_flags": ["avx", "sse2"], "cpu_register_flags": ["avx"]}}},
             "java": {"home": "/jdk", "version": "17.0.15", "libjvm": "aa", "libraries": "bb"},
             "hadoop": {"home": "/hadoop", "jars": "cc", "version": "3.5.0"},
             "our_jars": {"/hadoop/hadoop-clone-speculator.jar": "dd"},
             "local_dirs": [{"path": "/disk1", "free_mb": 5, "writable": true}],
             "memory": {"total_mb": 64000, "available_mb": 32000, "shm_mb": 32000, "swap_mb": 0}}
            """;

    private Facts() {}

    static NodeFacts good() {
        return but(facts -> {});
    }

    static NodeFacts but(Consumer<ObjectNode> change) {
        try {
            ObjectNode facts = (ObjectNode) JSON.readTree(GOOD);
            change.accept(facts);
            return JSON.treeToValue(facts, NodeFacts.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** That facts about the tool's host. */
    static NodeFacts host(Consumer<ObjectNode> change) {
        return but(facts -> change.accept((ObjectNode) facts.at("/tool/check/host")));
    }

    static NodeFacts cpu(String flags, String registers) {
        return host(
                host -> {
                    list(host, "cpu_flags", flags);
                    list(host, "cpu_register_flags", registers);
                });
    }

    private static void list(ObjectNode host, String name, String words) {
        var list = host.putArray(name);
        words.lines().flatMap(line -> java.util.Arrays.stream(line.split(" "))).forEach(list::add);
    }

    static Node node(String name, NodeFacts facts) {
        return new Node(name, facts, null, 0, 5);
    }
}
