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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands are run by a real shell as a NodeManager has them run, with a tool that only tells.
 */
class LaunchCommandTest {
    private static final CloneLimits LIMITS = new CloneLimits(20_000, 120_000);
    private static final OneTimeKey KEY =
            OneTimeKey.of(new byte[] {1}, 7, new byte[OneTimeKey.NONCE_BYTES]);

    private static final SourcePaths SOURCE =
            new SourcePaths(
                    "/x/1/app/container_1",
                    List.of("/x/1/app", "/x/2/app", "/x/3/app"),
                    List.of("/x/logs/container_1"));

    /** Says its arguments and its key, a line each. */
    private static final String TELLING_TOOL =
            """
            #!/bin/bash
            [[ ${@: -1} == --help ]] && exit
            printf '%s\\n' "$@" >"$PWD/arguments"
            cat <&3 >"$PWD/key"
            """;

    /** Runs what stands behind --, as pull does where no clone can be made. */
    private static final String REFUSING_TOOL =
            """
            #!/bin/bash
            [[ ${@: -1} == --help ]] && exit
            echo no clone >&2
            while [[ $1 != -- ]]; do shift; done
            exec "${@:2}" 3<&-
            """;

    @TempDir Path directory;

    private String javaVersion = "17.0.17";
    private Path work;
    private Path logs;
    private Path tool;

    @BeforeEach
    void makeContainer() throws IOException {
        work = Files.createDirectories(directory.resolve("1/app/container_2"));
        Files.createDirectories(directory.resolve("2/app"));
        logs = Files.createDirectories(directory.resolve("logs/container_2"));
        tool = directory.resolve("tool");
        Credentials credentials = new Credentials();
        credentials.addSecretKey(new Text("another"), new byte[] {0, 1, 10, 13, (byte) 200});
        credentials.addSecretKey(new Text(OneTimeKey.ALIAS), KEY.credential());
        credentials.writeTokenStorageFile(
                new org.apache.hadoop.fs.Path(work.resolve("container_tokens").toUri()),
                new Configuration(false));
    }

    /** Of a JVM that says what it is given; then as in MapReduceChildJVM. */
    private static String stock(String arguments) {
        return "$JAVA_HOME/bin/java -Xmx100m "
                + arguments
                + " org.apache.hadoop.mapred.YarnChild 127.0.0.1 4711 attempt_1_0001_m_000000_1 5"
                + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr ";
    }

    private String asClone(String stock) {
        return LaunchCommand.asClone(stock, tool.toString(), "h1:5000", SOURCE, LIMITS);
    }

    private int launch(String toolScript, String command) throws Exception {
        executable(tool, toolScript);
        return launch(command);
    }

    /** As ContainerLaunch writes launch_container.sh; returns the exit status. */
    private int launch(String command) throws Exception {
        Path java = directory.resolve("java/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(
                directory.resolve("java/release"), "JAVA_VERSION=\"" + javaVersion + "\"\n");
        executable(java, "#!/bin/bash\nprintf '%s\\n' \"$@\"\necho warned >&2\nexit 42\n");
        Path script =
                Files.writeString(
                        directory.resolve("launch_container.sh"),
                        "exec /bin/bash -c \""
                                + command.replace(
                                        ApplicationConstants.LOG_DIR_EXPANSION_VAR, logs.toString())
                                + "\"\n");
        ProcessBuilder builder =
                new ProcessBuilder("/bin/bash", script.toString()).directory(work.toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "JAVA_HOME", directory.resolve("java").toString(),
                                "CONTAINER_ID", "container_2",
                                "LOCAL_DIRS", directory + "/1/app," + directory + "/2/app",
                                "LOG_DIRS", directory + "/logs/container_2",
                                "HADOOP_TOKEN_FILE_LOCATION", work + "/container_tokens"));
        builder.redirectErrorStream(true);
        Process shell = builder.start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).isEmpty();
        return shell.waitFor();
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private List<String> arguments() throws IOException {
        return Files.readAllLines(work.resolve("arguments"));
    }

    /** It wouldn't start. */
    @ParameterizedTest
    @CsvSource({"11.0.2, false", "17.0.17, true", "21.0.1, true", "26, false"})
    void noJvmGetsAnOptionThatItMayNotHave(String version, boolean known) throws Exception {
        javaVersion = version;
        assertThat(launch(LaunchCommand.cloneable(stock("-Done=1"), "/no.jar"))).isEqualTo(42);
        List<String> given = Files.readAllLines(logs.resolve("stdout"));
        assertThat(given).contains("-XX:-UsePerfData", "-Done=1");
        assertThat(given.contains("-XX:ArchiveRelocationMode=0")).isEqualTo(known);
        assertThat(given.contains("-XX:+UnlockDiagnosticVMOptions")).isEqualTo(known);
    }

    @Test
    void ourMainClassComesBeforeTheStockOne() throws Exception {
        Path jar = Files.createFile(directory.resolve("clone.jar"));
        assertThat(launch("", LaunchCommand.cloneable(stock("-Da=b"), jar.toString())))
                .isEqualTo(42);
        assertThat(Files.readAllLines(logs.resolve("stdout")))
                .containsSequence(
                        "-Da=b",
                        "-XX:-UsePerfData",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:ArchiveRelocationMode=0",
                        "-Dclone.agent.jar=" + jar,
                        "org.apache.hadoop.mapred.CloneableChild",
                        "org.apache.hadoop.mapred.YarnChild",
                        "127.0.0.1");
    }

    /** A JVM whose main class can't be found doesn't start. */
    @Test
    void aNodeWithoutTheJarRunsTheTaskAsStockDoes() throws Exception {
        String command = LaunchCommand.cloneable(stock("-Da=b"), "/not/there/clone.jar");
        assertThat(launch("", command)).isEqualTo(42);
        assertThat(launch(REFUSING_TOOL, asClone(command))).isEqualTo(42);
        assertThat(Files.readAllLines(logs.resolve("stdout")))
                .containsSequence(
                        "-Da=b",
                        "-XX:-UsePerfData",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:ArchiveRelocationMode=0",
                        "org.apache.hadoop.mapred.YarnChild");
    }

    /** It could load no class of ours. */
    @ParameterizedTest
    @CsvSource({"1.8.0_392, false", "9.0.4, false", "11.0.2, false", "17.0.17, true", "21, true"})
    void aNodeWithAnOlderJavaRunsTheTaskAsStockDoes(String version, boolean ours) throws Exception {
        javaVersion = version;
        Path jar = Files.createFile(directory.resolve("clone.jar"));
        assertThat(launch(LaunchCommand.cloneable(stock("-Da=b"), jar.toString()))).isEqualTo(42);
        List<String> given = Files.readAllLines(logs.resolve("stdout"));
        assertThat(given).contains("org.apache.hadoop.mapred.YarnChild");
        assertThat(given.contains("org.apache.hadoop.mapred.CloneableChild")).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource({
        "-Xmx768m, ' -Xmx768m -Xms64m '",
        "-Xmx2G, ' -Xmx2G -Xms64m '",
        "-Xmx900m -Xmx32m, ' -Xmx32m '",
        "-Xmx48000k, ' -Xmx48000k '",
        "-Xmx768m -Xms512m, ' -Xmx768m -Xms512m '",
        "-Xmx768m -Xmn300m, ' -Xmx768m -Xmn300m '"
    })
    void aHeapBeginsSmallUnlessTheJobSaysHow(String options, String expected) {
        assertThat(LaunchCommand.withSmallHeap(stock(options)))
                .contains(expected + "org.apache.hadoop.mapred.YarnChild 127.0.0.1 ");
    }

    /** Made by pull it would be closed to the NodeManager, where that is another user. */
    @Test
    void theDirectoryOfMapOutputsIsThereBeforeTheTool() throws Exception {
        assertThat(launch("#!/bin/bash\numask 077; mkdir -p $PWD/../output\n", asClone(stock(""))))
                .isZero();
        for (String local : List.of("1/app", "2/app")) {
            Path output = directory.resolve(local).resolve("output");
            assertThat(Files.getPosixFilePermissions(output))
                    .isEqualTo(Files.getPosixFilePermissions(work));
        }
    }

    @Test
    void onlyTasksAreChanged() {
        assertThat(LaunchCommand.isTask(stock(""))).isTrue();
        assertThat(LaunchCommand.isTask("sleep 1")).isFalse();
    }

    @Test
    void theToolIsToldWhereTheOriginalIs() throws Exception {
        assertThat(launch(TELLING_TOOL, asClone(stock("")))).isZero();
        assertThat(arguments())
                .startsWith("pull", "h1:5000")
                .contains(
                        "--key-fd=3",
                        "--patience=20000",
                        "--time-limit=120000",
                        "--dir=" + work + "/clone-files",
                        "--report=" + logs + "/clone.json");
    }

    @Test
    void theKeyComesOutOfTheCredentials() throws Exception {
        launch(TELLING_TOOL, asClone(stock("")));
        assertThat(Files.readString(work.resolve("key"))).isEqualTo(KEY.hex() + "\n");
    }

    /** NodeManagers copy the launch script into the logs. */
    @Test
    void theKeyIsNotInTheCommand() {
        assertThat(asClone(stock(""))).doesNotContain(KEY.hex());
    }

    @Test
    void theOriginalsDirectoriesBecomeTheContainersOwn() throws Exception {
        launch(TELLING_TOOL, asClone(stock("")));
        assertThat(arguments())
                .contains("--map=/x/1/app/container_1=" + work + "/clone")
                // Three there, two here: the third goes where the first went.
                .contains("--map=/x/1/app/output=" + directory + "/1/app/output")
                .contains("--map=/x/2/app/output=" + directory + "/2/app/output")
                .contains("--map=/x/3/app/output=" + directory + "/1/app/output")
                .contains("--map=/x/logs/container_1=" + directory + "/logs/container_2");
    }

    @Test
    void theCloneIsWokenWithItsContainer() throws Exception {
        launch(TELLING_TOOL, asClone(stock("")));
        assertThat(arguments())
                .contains(
                        "--resume=echo clone container_2"
                                + " >/x/1/app/container_1/.clone/messages");
    }

    @Test
    void whereNoCloneCanBeMadeTheTaskBeginsAsItWouldHave() throws Exception {
        String arguments = "-Dquoted='one word' -Dnode=$CONTAINER_ID";
        assertThat(launch(REFUSING_TOOL, asClone(stock(arguments)))).isEqualTo(42);
        List<String> asFallback = Files.readAllLines(logs.resolve("stdout"));
        String warned = Files.readString(logs.resolve("stderr"));
        deleteLogs();

        assertThat(launch(REFUSING_TOOL, stock(arguments))).isEqualTo(42);
        assertThat(asFallback)
                .contains("-Dquoted=one word", "-Dnode=container_2")
                .isEqualTo(Files.readAllLines(logs.resolve("stdout")));
        assertThat(warned).isEqualTo(Files.readString(logs.resolve("stderr")));
    }

    @Test
    void withoutAToolTheTaskBeginsAsItWouldHave() throws Exception {
        assertThat(launch(asClone(stock("-Dquoted='one word'")))).isEqualTo(42);
        assertThat(Files.readAllLines(logs.resolve("stdout"))).contains("-Dquoted=one word");
        assertThat(logs.resolve("stderr")).hasContent("warned");
        assertThat(logs.resolve("clone.log")).content().contains("tool: No such file");
    }

    /** 126 if it can't be executed, 127 if it can't be loaded, 64 if it doesn't know an option. */
    @ParameterizedTest
    @ValueSource(ints = {126, 127, 64})
    void withAToolThatCannotBeginTheTaskDoes(int code) throws Exception {
        String tool = "#!/bin/bash\necho cannot begin >&2\nexit " + code + "\n";
        assertThat(launch(tool, asClone(stock("")))).isEqualTo(42);
        assertThat(logs.resolve("stdout")).content().contains("YarnChild");
        assertThat(logs.resolve("clone.log")).hasContent("cannot begin");
    }

    /** Whatever its exit code: that may be the clone's own. */
    @ParameterizedTest
    @ValueSource(ints = {0, 64, 127})
    void nothingFollowsAToolThatHasBegun(int code) throws Exception {
        String tool = "#!/bin/bash\n[[ ${@: -1} == --help ]] && exit\nexit " + code + "\n";
        assertThat(launch(tool, asClone(stock("")))).isEqualTo(code);
        assertThat(logs.resolve("stdout")).doesNotExist();
    }

    @Test
    void whatTheToolSaysIsInALogOfItsOwn() throws Exception {
        launch(REFUSING_TOOL, asClone(stock("")));
        assertThat(logs.resolve("clone.log")).hasContent("no clone");
    }

    private void deleteLogs() throws IOException {
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
