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
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real probe, on this machine. */
final class NodeProbeTest {
    private ProbeProcesses processes;

    @BeforeEach
    void start() throws IOException {
        processes = new ProbeProcesses();
    }

    @AfterEach
    void end() {
        processes.close();
    }

    private Node ask(Map<String, String> settings, String... via) {
        return new NodeProbe(processes, List.of(via), settings, 60).ask("h1");
    }

    @Test
    void tellsWhatThisMachineIsLike(@TempDir Path hadoop) throws Exception {
        Path jars = Files.createDirectories(hadoop.resolve("share/hadoop/mapreduce"));
        Files.writeString(jars.resolve("hadoop-clone-speculator.jar"), "x");
        Path others = Files.createDirectories(hadoop.resolve("share/hadoop/hdfs"));
        Files.writeString(others.resolve("hdfs-duplicate-reads.jar"), "x");
        Files.createDirectories(hadoop.resolve("etc/hadoop"));
        Files.writeString(
                hadoop.resolve("etc/hadoop/yarn-site.xml"),
                """
                <configuration><property>
                  <name>yarn.nodemanager.local-dirs</name>
                  <final>true</final>
                  <value>file:///, /no/such, ${hadoop.tmp.dir}/a</value>
                </property>
                <!-- <property><name>yarn.nodemanager.local-dirs</name><value>/old</value></property> -->
                </configuration>
                """);
        Node node =
                ask(
                        Map.of(
                                "hadoop",
                                hadoop.toString(),
                                "java",
                                System.getProperty("java.home")),
                        "env",
                        "HOST={}");
        assertThat(node.trouble()).isNull();
        NodeFacts facts = node.facts();
        assertThat(facts.kernel()).isEqualTo(System.getProperty("os.version"));
        assertThat(facts.user().name()).isEqualTo(System.getProperty("user.name"));
        assertThat(facts.java().version()).startsWith(String.valueOf(Runtime.version().feature()));
        assertThat(facts.java().libjvm()).hasSize(64);
        String checksum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
        assertThat(facts.ourJars())
                .containsOnly(
                        Map.entry(jars.resolve("hadoop-clone-speculator.jar").toString(), checksum),
                        Map.entry(others.resolve("hdfs-duplicate-reads.jar").toString(), checksum));
        assertThat(facts.localDirectories())
                .extracting(NodeFacts.LocalDirectory::path)
                .containsExactly("/", "/no/such");
        assertThat(facts.memory().totalMegabytes()).isPositive();
        assertThat(node.clockErrorMillis()).isNotNegative();
    }

    /** Only root can look as another user. */
    @Test
    void aJarThatContainersCantReadIsntTold(@TempDir Path hadoop) throws Exception {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path jars = Files.createDirectories(hadoop.resolve("share/hadoop/mapreduce"));
        Path closed = Files.writeString(jars.resolve("hadoop-clone-speculator.jar"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-------"));
        Path open = Files.writeString(jars.resolve("hdfs-stream-repair.jar"), "x");
        Path closedDirectory = Files.createDirectories(hadoop.resolve("share/hadoop/hdfs"));
        Files.writeString(closedDirectory.resolve("hdfs-duplicate-reads.jar"), "x");
        Files.setPosixFilePermissions(
                closedDirectory, PosixFilePermissions.fromString("rwx------"));

        NodeFacts facts = ask(Map.of("hadoop", hadoop.toString(), "user", "nobody"), "env").facts();

        assertThat(facts.ourJars()).containsOnlyKeys(open.toString());
    }

    /** By a file that hdfs-site.xml includes, as the release's is meant to be. */
    @Test
    void looksAtNetworkAndDisksWhereDuplicatesAreServed(@TempDir Path hadoop) throws Exception {
        Path jars = Files.createDirectories(hadoop.resolve("share/hadoop/hdfs"));
        Files.writeString(jars.resolve("hdfs-duplicate-reads.jar"), "x");
        Path conf = Files.createDirectories(hadoop.resolve("etc/hadoop"));
        Files.writeString(
                conf.resolve("hdfs-site.xml"),
                """
                <configuration xmlns:xi="http://www.w3.org/2001/XInclude">
                  <property><name>dfs.datanode.data.dir</name><value>[DISK]file:///</value></property>
                  <xi:include href="duplicates.xml"/>
                </configuration>
                """);
        Map<String, String> settings = Map.of("hadoop", hadoop.toString());
        assertThat(ask(settings, "env").facts().duplicateReads()).isNull();
        Files.writeString(
                conf.resolve("duplicates.xml"),
                """
                <configuration><property>
                  <name>dfs.datanode.plugins</name>
                  <value>org.apache.hadoop.clone.hdfs.read.datanode.DuplicateStagePlugin</value>
                </property><property>
                  <name>dfs.datanode.duplicate.yield</name>
                  <value>node</value>
                </property></configuration>
                """);
        NodeFacts.DuplicateReads reads = ask(settings, "env").facts().duplicateReads();
        assertThat(reads.jar()).endsWith("hdfs-duplicate-reads.jar");
        assertThat(reads.yield()).isEqualTo("node");
        assertThat(reads.trafficClass()).isEmpty();
        // What this machine has of both is its own affair.
        assertThat(reads.links()).allSatisfy(link -> assertThat(link.device()).isNotBlank());
        assertThat(reads.disks())
                .allSatisfy(disk -> assertThat(disk.scheduler()).doesNotContain("["));
    }

    @Test
    void aUserThatIsntThereIsntTold() {
        assertThat(ask(Map.of("user", "nobody-of-that-name"), "env").facts().user()).isNull();
    }

    @Test
    void aHostThatCantBeReachedSaysWhy() {
        Node node = ask(Map.of(), "bash", "-c", "echo no route to {} >&2; exit 255", "-");
        assertThat(node.answered()).isFalse();
        assertThat(node.trouble()).isEqualTo("exit code 255: no route to h1");
    }

    @Test
    void anAnswerThatIsntTheProbesIsSaid() {
        assertThat(ask(Map.of(), "echo", "Welcome").trouble()).contains("isn't the probe's");
    }

    /** As a tool of another release may print it. */
    @Test
    void anAnswerThatLacksWhatAllHaveIsSaidOfItsNodeAlone() {
        String tool = "{\"able\":true,\"requirements\":[]}";
        String answer =
                "{\"tool\":{\"path\":\"/t\",\"check\":%s},\"memory\":{\"total_mb\":1}}"
                        .formatted(tool);
        assertThat(ask(Map.of(), "echo", answer).trouble())
                .isEqualTo("its answer lacks the tool's host: is another release installed there?");
        assertThat(ask(Map.of(), "echo", "{ }").trouble())
                .startsWith("its answer lacks its memory");
    }

    @Test
    void aNameWithBlanksAndQuotesArrivesAsItIs(@TempDir Path directory) throws Exception {
        Path hadoop = directory.resolve("it's my hadoop");
        Files.createDirectories(hadoop.resolve("share/hadoop/mapreduce"));
        Map<String, String> settings = Map.of("hadoop", hadoop.toString());
        // As a login's shell does, and as what runs a command without one.
        assertThat(ask(settings, "bash", "-c", "eval \"$*\"", "-").facts().hadoop().home())
                .isEqualTo(hadoop.toString());
        assertThat(ask(settings, "env").facts().hadoop().home()).isEqualTo(hadoop.toString());
    }

    @Test
    void aGreetingInAnyEncodingIsPassedOver() {
        Node node = ask(Map.of(), "bash", "-c", "printf 'Gr\\374\\337e\\n'; exec \"$@\"", "-");
        assertThat(node.trouble()).isNull();
    }

    /** Others try to connect to these, so that nobody is disturbed. */
    @Test
    void namesPortsOnWhichNobodyListens() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            NodeFacts facts = ask(Map.of("ports", port + "-" + (port + 1)), "env").facts();
            assertThat(facts.ports().busy()).isPositive();
            assertThat(facts.freePorts()).doesNotContain(port);
            assertThat(ask(Map.of("ports", port + "-" + port), "env").facts().freePorts())
                    .isEmpty();
        }
        assertThat(ask(Map.of(), "env").facts().freePorts()).hasSize(2);
    }

    @Test
    void namesPortsWhereTheKernelHasNoIpv6() {
        String without = "sed 's:/proc/net/tcp6:/no/such/file:' | \"$@\"";

        NodeFacts facts = ask(Map.of(), "bash", "-c", without, "-").facts();

        assertThat(facts.freePorts()).hasSize(2);
    }
}
