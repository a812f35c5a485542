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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** How nodes are named, classes written for configurations to include, and a check broken off. */
final class CheckCommandTest {
    @TempDir private Path directory;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aNewFileIsForAllAndAnOldOneStaysAsReadableAsItWas() throws IOException {
        Path classes = directory.resolve("classes.xml");
        CheckCommand.replace(classes, "1");
        assertThat(mode(classes)).isEqualTo("rw-r--r--");
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rw-rw----"));
        CheckCommand.replace(classes, "2");
        assertThat(classes).hasContent("2");
        assertThat(mode(classes)).isEqualTo("rw-rw----");
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void aLinkStaysOneAndADeviceIsWrittenTo() throws IOException {
        Path classes = Files.writeString(directory.resolve("classes.xml"), "1");
        Path link = Files.createSymbolicLink(directory.resolve("link.xml"), classes);
        CheckCommand.replace(link, "2");
        assertThat(link).isSymbolicLink();
        assertThat(classes).hasContent("2");
        Path nothing = Files.createSymbolicLink(directory.resolve("null"), Path.of("/dev/null"));
        CheckCommand.replace(nothing, "3");
        assertThat(nothing).isSymbolicLink();
        assertThat(Files.isRegularFile(nothing)).isFalse();
    }

    @Test
    void whatIsPreparedInTheDirectoryIsNotWrittenTo() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "theirs");
        Files.createSymbolicLink(directory.resolve(".classes.xml.new"), other);
        CheckCommand.replace(directory.resolve("classes.xml"), "1");
        assertThat(other).hasContent("theirs");
    }

    @Test
    void nothingStaysOfAFileThatCantBeWritten() {
        String noText = "\ud800"; // half of a character
        assertThatThrownBy(() -> CheckCommand.replace(directory.resolve("classes.xml"), noText))
                .isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    private CheckCommand command(String host, String via) throws IOException {
        Path hosts = Files.writeString(directory.resolve("hosts"), host + "\n");
        CheckCommand command = new CheckCommand();
        new CommandLine(command).parseArgs("--hosts", hosts.toString(), "--via", via);
        return command;
    }

    /** Of classes, of configurations, of shells and of ssh. */
    @ParameterizedTest
    @ValueSource(strings = {"h1,h2", "a;b", "<", "$(x)", "a b", "-oProxyCommand=x"})
    void whatIsNoNameOfAHostIsRefused(String host) throws IOException {
        assertThatThrownBy(command(host, "env HOST={}")::call)
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessage("--hosts: no name of letters, digits and . _ : - alone: " + host);
    }

    /** It would ask this machine, as often as there are nodes. */
    @Test
    void aWayThatLeadsToNoNodeIsRefused() throws IOException {
        assertThatThrownBy(command("h1", "env")::call)
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageStartingWith("--via needs {}");
    }

    /** In a process of its own, which has a JVM's end of its own. */
    @Test
    void aCheckThatASignalEndsLeavesNothing() throws Exception {
        Path pid = directory.resolve("pid");
        Path via =
                Files.writeString(
                        directory.resolve("via"),
                        "echo $$ >%1$s.new\nmv %1$s.new %1$s\nexec sleep 600\n".formatted(pid));
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path classes = directory.resolve("classes.xml");
        Process check =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Djava.io.tmpdir=" + temporary,
                                "-cp",
                                System.getProperty("java.class.path"),
                                CheckCommand.class.getName(),
                                "--hosts",
                                Files.writeString(directory.resolve("hosts"), "h1\n").toString(),
                                "--via",
                                "sh " + via + " {}",
                                "--classes-out",
                                classes.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("said").toFile())
                        .start();
        try {
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(pid));
            check.destroy();
            assertThat(check.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            check.destroyForcibly();
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(classes).doesNotExist();
        long probe = Long.parseLong(Files.readString(pid).strip());
        await().atMost(Duration.ofMinutes(1)).until(() -> !isRunning(probe));
    }

    /** One that nobody has waited for yet has no program any more. */
    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.info().command()).isPresent();
    }
}
