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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clonehadoop.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clone-hadoop check}. Exit code 0: each node can clone to each; 1: not; 2: wrong usage. */
@Command(
        name = "clone-hadoop check",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Says of each node whether it can clone, and which nodes can clone to each other. Shell"
                    + " scripts go to each node, which look, and try to connect to the other nodes;"
                    + " nothing is installed or changed.",
            "Exit code 0: each node can clone to each, and connect to it; 1: not; 2: wrong usage."
        })
public final class CheckCommand implements Callable<Integer> {
    /** What neither a shell, nor ssh, nor a list of classes takes for anything else. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");

    @Option(
            names = "--hosts",
            required = true,
            paramLabel = "FILE",
            description = "the nodes, a name a line, as YARN has them; # begins a comment")
    private Path hosts;

    @Option(
            names = "--via",
            paramLabel = "COMMAND",
            defaultValue = "ssh -o BatchMode=yes -o ConnectTimeout=10 {}",
            description =
                    "runs a command on a node, {} being its name; words end at spaces"
                            + " (${DEFAULT-VALUE})")
    private String via;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "whose containers are to be cloned (who logs in)")
    private String user;

    @Option(
            names = "--tool",
            paramLabel = "PATH",
            description = "criu-remote-clone there (where install-node puts it)")
    private String tool;

    @Option(
            names = "--java",
            paramLabel = "DIR",
            description = "the containers' JAVA_HOME (that of the java on the PATH)")
    private String java;

    @Option(
            names = "--hadoop",
            paramLabel = "DIR",
            description = "HADOOP_HOME (that of the hadoop on the PATH)")
    private String hadoop;

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "the configuration directory (HADOOP_HOME/etc/hadoop)")
    private String conf;

    @Option(
            names = "--jars",
            paramLabel = "DIR",
            description = "where our jars are (HADOOP_HOME/share/hadoop/mapreduce)")
    private String jars;

    @Option(
            names = "--ports",
            paramLabel = "P-Q",
            description = "the range of CRIU_REMOTE_CLONE_PORT (any port)")
    private String ports;

    @Option(
            names = "--lease-dir",
            paramLabel = "DIR",
            description = "the nodes' CRIU_REMOTE_CLONE_LEASE_DIR (the tool's own choice)")
    private String leases;

    @Option(
            names = "--classes-out",
            paramLabel = "FILE",
            description = "writes mapreduce.clone.host-classes, as a Hadoop configuration file")
    private Path classesOut;

    @Option(names = "--json", paramLabel = "FILE", description = "writes all that was found")
    private Path json;

    @Option(names = "--all", description = "tells also what is as it should be")
    private boolean all;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "32",
            description = "so many nodes are asked at once (${DEFAULT-VALUE})")
    private int atOnce;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "for a node's answer (${DEFAULT-VALUE})")
    private long limitSeconds;

    public static void main(String[] arguments) {
        System.exit(Commands.line(new CheckCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> names = names();
        require(!names.isEmpty(), "no host is named in " + hosts);
        for (String name : names) {
            require(
                    NAME.matcher(name).matches(),
                    "--hosts: no name of letters, digits and . _ : - alone: " + name);
        }
        require(via.contains("{}"), "--via needs {} where the node's name is to be, not " + via);
        require(atOnce > 0, "--at-once needs a number from 1, not " + atOnce);
        require(limitSeconds > 0, "--limit needs a number from 1, not " + limitSeconds);
        require(ports == null || isRange(ports), "--ports needs a range P-Q, not " + ports);
        List<Node> nodes;
        HostClasses classes;
        List<Unreachable> unreachable;
        try (ProbeProcesses processes = new ProbeProcesses()) {
            nodes =
                    askAll(
                            names,
                            new NodeProbe(processes, way(), settings(), limitSeconds)::ask,
                            "%d of %d nodes have answered");
            classes = HostClasses.ofAll(nodes);
            unreachable = unreachable(processes, classes);
            processes.requireGoingOn();
        }
        CheckReport report = new CheckReport(nodes, release(), classes, unreachable);
        System.out.print(report.table(all));
        if (json != null) {
            Files.writeString(
                    json,
                    new ObjectMapper()
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(report.json())
                            + "\n");
        }
        if (classesOut != null) {
            writeClasses(nodes, classes);
        }
        return report.isGood() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /**
     * Jobs go by that file until the next check: it must say nothing of nodes that weren't heard.
     */
    private void writeClasses(List<Node> nodes, HostClasses classes) throws IOException {
        long silent = nodes.stream().filter(node -> !node.answered()).count();
        if (classes.classes().isEmpty()) {
            // None at all would say that every node is like every other.
            System.err.println("clone-hadoop check: no node can clone, so no " + classesOut);
        } else if (silent > 0 && Files.exists(classesOut)) {
            System.err.printf(
                    "clone-hadoop check: %s stays as it is: %d nodes didn't answer, and would be cloned no"
                            + " more; check again when they do, or take them out of %s%n",
                    classesOut, silent, hosts);
        } else {
            replace(classesOut, configuration(classes));
        }
    }

    /**
     * At once and as a whole: Hadoop's programs of all users may read it at any moment, as far as
     * they might before. A link, or what is no file, is written to.
     */
    static void replace(Path file, String text) throws IOException {
        boolean exists = Files.exists(file);
        if (exists && !Files.isRegularFile(file)) {
            Files.writeString(file, text);
            return;
        }
        Path whole = exists ? file.toRealPath() : file.toAbsolutePath();
        Path fresh =
                Files.createTempFile(whole.getParent(), "." + whole.getFileName() + ".", ".new");
        try {
            Files.writeString(fresh, text);
            Files.setPosixFilePermissions(
                    fresh,
                    exists
                            ? Files.getPosixFilePermissions(whole)
                            : PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(fresh, whole, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static ReleaseJars release() throws IOException {
        String release = System.getProperty("clonehadoop.release");
        return release == null ? ReleaseJars.NONE : ReleaseJars.in(Path.of(release, "lib"));
    }

    private void require(boolean good, String otherwise) {
        Commands.require(this, good, otherwise);
    }

    private static boolean isRange(String ports) {
        Matcher ends = Pattern.compile("(\\d{1,5})-(\\d{1,5})").matcher(ports);
        return ends.matches() && Integer.parseInt(ends.group(1)) <= Integer.parseInt(ends.group(2));
    }

    private List<String> names() {
        try {
            return Files.readAllLines(hosts).stream()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new CommandLine.ParameterException(
                    new CommandLine(this), "--hosts: can't read " + hosts);
        }
    }

    private List<String> way() {
        return List.of(via.trim().split("\\s+"));
    }

    private List<Unreachable> unreachable(ProbeProcesses processes, HostClasses classes)
            throws InterruptedException {
        NetworkProbe probe = new NetworkProbe(processes, way(), limitSeconds);
        List<Unreachable> unreachable = new ArrayList<>();
        for (List<Node> hosts : classes.classes()) {
            askAll(hosts, node -> probe.from(node, hosts), "%d of %d nodes have tried to connect")
                    .forEach(unreachable::addAll);
        }
        return unreachable;
    }

    /**
     * @param progress how many have answered, and of how many
     */
    private <Q, A> List<A> askAll(List<Q> all, Function<Q, A> ask, String progress)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(all.size(), atOnce));
        try {
            List<Future<A>> answers = new ArrayList<>();
            all.forEach(one -> answers.add(threads.submit(() -> ask.apply(one))));
            List<A> got = new ArrayList<>();
            for (Future<A> answer : answers) {
                got.add(answer.get());
                tell(progress, got.size(), all.size());
            }
            return got;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static void tell(String progress, int done, int all) {
        if (System.console() != null) {
            System.err.printf("\r" + progress + "%s", done, all, done == all ? "\n" : "");
        }
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("user", user);
        settings.put("tool", tool);
        settings.put("java", java);
        settings.put("hadoop", hadoop);
        settings.put("conf", conf);
        settings.put("jars", jars);
        settings.put("ports", ports);
        settings.put("leases", leases);
        settings.values().removeIf(value -> value == null);
        return settings;
    }

    private static String configuration(HostClasses classes) {
        return """
                <?xml version="1.0"?>
                <!-- Written by clone-hadoop check. For mapred-site.xml by XInclude, or a job's -conf. -->
                <configuration>
                  <property><name>mapreduce.clone.host-classes</name><value>%s</value></property>
                </configuration>
                """
                .formatted(classes.property());
    }
}
