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
package org.clonehadoop.benchmarks.remoteclone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link LoadJvm}'s command line, but for its files. */
record Load(List<String> jvmOptions, List<String> arguments) {
    private static final String SHRINK = "--shrink=true";

    // hsperfdata is a shared file mapping, which CRIU refuses.
    private static final List<String> ALWAYS = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData");

    /** A task as the issue describes it: 256 MB of sort buffer, and the young generation. */
    static Load task() {
        return new Load(List.of("-Xmx768m"), List.of("--buffer=256"));
    }

    /** The same one, that gives back its buffer when its gate closes. */
    static Load shrinkingTask() {
        return new Load(
                List.of(
                        "-Xmx768m",
                        "-Xms64m",
                        "-XX:-ShrinkHeapInSteps",
                        "-XX:MinHeapFreeRatio=5",
                        "-XX:MaxHeapFreeRatio=10"),
                List.of("--buffer=256", SHRINK));
    }

    /** About so much memory, nearly all of it in the buffer. */
    static Load touching(int megabytes) {
        int young = 16;
        return new Load(
                List.of("-Xmx" + (megabytes * 5 / 4 + young) + "m", "-Xmn" + young + "m"),
                List.of("--buffer=" + (megabytes - young)));
    }

    /** As many record loops as the machine has cores. */
    static Load busy(int cores) {
        return new Load(List.of("-Xmx256m"), List.of("--buffer=64", "--loops=" + cores));
    }

    /** Of serve: who gives nothing back in his quiesce hook has his image's memory taken before. */
    List<String> serveOptions() {
        return arguments.contains(SHRINK) ? List.of() : List.of("--settle", "true");
    }

    List<String> command(Path log, Path quietFifo) {
        String classes =
                LoadJvm.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        List<String> command = new ArrayList<>();
        command.add("java");
        command.addAll(ALWAYS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classes, LoadJvm.class.getName()));
        command.addAll(List.of("--log=" + log, "--quiet-fifo=" + quietFifo));
        command.addAll(arguments);
        return command;
    }
}
