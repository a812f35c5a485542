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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files a clone lacks, and in which ways of opening them it matters. */
@Timeout(60)
class MissingFilesTest {
    @TempDir private Path temp;

    private Path own;
    private Path elsewhere;

    @BeforeEach
    void makeDirectories() throws IOException {
        own = Files.createDirectory(temp.resolve("own"));
        elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        Files.createFile(elsewhere.resolve("there"));
        // Of what is there lexically, the clone has the link and nothing else.
        Files.createSymbolicLink(own.resolve("out"), elsewhere);
        Files.createSymbolicLink(own.resolve("lost"), elsewhere.resolve("none"));
        // As a NodeManager's local directories may be.
        Files.createSymbolicLink(temp.resolve("mount"), own);
    }

    @ParameterizedTest
    @CsvSource({
        "elsewhere/there, false",
        "elsewhere/none, true",
        "elsewhere/no/directory, true",
        "own/none, false",
        "own/no/directory, false",
        "own/out/none, true",
        "own/out/there, false",
        "own/lost, true",
        "own/../elsewhere/none, true",
        "elsewhere/../own/none, false",
        "mount/none, false",
        "own2, true"
    })
    void isMissingIfItIsNeitherHereNorItsOwn(String path, boolean missing) throws IOException {
        assertThat(MissingFiles.isMissing(temp.resolve(path), List.of(own))).isEqualTo(missing);
    }

    @Test
    void ownDirectoriesMayBeLinksOrNotThere() throws IOException {
        List<Path> directories = List.of(temp.resolve("mount"), temp.resolve("none"));
        assertThat(MissingFiles.isMissing(own.resolve("file"), directories)).isFalse();
        assertThat(MissingFiles.isMissing(temp.resolve("none/file"), directories)).isTrue();
    }

    @Test
    void relativePathsAreInTheWorkingDirectory() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        assertThat(MissingFiles.isMissing(Path.of("no-such-file"), List.of(here))).isFalse();
        assertThat(MissingFiles.isMissing(Path.of("no-such-file"), List.of(own))).isTrue();
    }

    /** In a JVM of its own, whose JDK has hooks then. */
    @Test
    void tellsOfWhatGoesOnWithAFileThatIsMissing() throws Exception {
        Path said = temp.resolve("said");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-D"
                                        + CloneAgent.JAR
                                        + "="
                                        + TaskJvm.jarOfAgent(
                                                temp.resolve("agent.jar"),
                                                "Agent-Class",
                                                CloneAgent.class),
                                "-cp",
                                System.getProperty("java.class.path"),
                                OpenProbe.class.getName(),
                                own.toString(),
                                elsewhere.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        String all = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(all).isZero();
        assertThat(all.lines().filter(line -> line.startsWith("ended at ")))
                .containsExactly(
                        "ended at appended by a stream",
                        "ended at appended by a writer",
                        "ended at random access rw",
                        "ended at random access rwd",
                        "ended at channel to append",
                        "ended at channel to create and write",
                        "ended at channel to read and write",
                        "ended at appended string",
                        "ended at asynchronous channel");
    }
}
