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
package org.clonehadoop.benchmarks.straggler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StragglerAgentTest {
    @TempDir private Path folder;

    /** An agent of this name, whose classes are on the class path already. */
    private Path agent() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", StragglerAgent.class.getName());
        Path jar = folder.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    /** What the agent says of a job whose tasks run in one JVM, one after another. */
    private List<String> job(String options, String oldInterface) throws Exception {
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.writeString(in.resolve("lines"), "a b a\n".repeat(100));
        Process job =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-javaagent:" + agent() + "=" + options,
                                "-cp",
                                System.getProperty("java.class.path"),
                                SlowWordCount.class.getName(),
                                "-D" + SlowWordCount.OLD + "=" + oldInterface,
                                in.toString(),
                                folder.resolve("out").toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(job.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(job.waitFor()).as(said).isZero();
        return said.lines()
                .filter(line -> line.startsWith("straggler agent: "))
                .map(line -> line.replaceAll("attempt_local\\d+_0001_", ""))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void brakesAfterRecordsAndValuesOfEitherInterface(String oldInterface) throws Exception {
        // Of a record at its end one knows by asking once more. The combiner has left a value of
        // each word.
        assertThat(job("scale=0.1", oldInterface))
                .containsExactly(
                        "straggler agent: m_000000_0 had 101 records",
                        "straggler agent: r_000000_0 had 2 records");
    }

    @Test
    void optionsAreTheInjectorsKeys() {
        Configuration configuration =
                StragglerAgent.configuration(
                        "attempts=m_000001_0=300,r_000000_0=2/after-records=7");

        assertThat(configuration.get(Slowdown.ATTEMPTS)).isEqualTo("m_000001_0=300,r_000000_0=2");
        assertThat(new Slowdown(configuration).afterRecords()).isEqualTo(7);
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertThatThrownBy(() -> StragglerAgent.configuration("attempt=m_000001_0=300"))
                .hasMessageContaining("no option 'attempt=m_000001_0=300'");
    }
}
