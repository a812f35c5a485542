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

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a node by itself must have so that clones leave it and arrive. Pure. */
final class NodeRules {
    /** What HDFS, Kerberos and log times put up with, and more than NTP leaves. */
    static final long CLOCK_MILLIS = 1000;

    /** A container at least, and its image. */
    static final long MEMORY_MEGABYTES = 1024;

    /** For what didn't get to a node, or not back. */
    static final String TRY_VIA = "try the command of --via by hand; it must run bash there";

    /** Of which our classes are. */
    private static final int NEEDED_JAVA = 17;

    private static final Pattern KNOWN_HADOOP = Pattern.compile("3\\.[45]\\.");

    private NodeRules() {}

    static List<Finding> of(Node node) {
        List<Finding> findings = new ArrayList<>();
        if (!node.answered()) {
            findings.add(Finding.fail("reached", node.trouble(), TRY_VIA));
            return findings;
        }
        NodeFacts facts = node.facts();
        user(facts, findings);
        tool(facts, findings);
        java(facts, findings);
        hadoop(facts, findings);
        localDirectories(facts, findings);
        ports(facts, findings);
        memory(facts, findings);
        clock(node, findings);
        findings.addAll(DuplicateReadRules.of(facts.duplicateReads()));
        return findings;
    }

    private static void user(NodeFacts facts, List<Finding> findings) {
        if (facts.user() == null) {
            findings.add(
                    Finding.fail(
                            "user",
                            "the containers' user isn't known here",
                            "make the user, with the same id as on the other nodes"));
        } else {
            findings.add(
                    Finding.pass(
                            "user",
                            "%s, id %d".formatted(facts.user().name(), facts.user().uid())));
        }
    }

    private static void tool(NodeFacts facts, List<Finding> findings) {
        NodeFacts.Tool tool = facts.tool();
        if (tool == null) {
            findings.add(
                    Finding.fail(
                            "tool",
                            "criu-remote-clone isn't installed",
                            "run sbin/install-node on this node"));
            return;
        }
        if (tool.check() == null) {
            findings.add(
                    Finding.fail(
                            "tool",
                            tool.path() + " doesn't run here",
                            "run `%s check` on this node%s: it says why"
                                    .formatted(
                                            tool.path(),
                                            facts.user() == null
                                                    ? ""
                                                    : " as " + facts.user().name())));
            return;
        }
        findings.add(Finding.pass("tool", tool.path()));
        if (facts.user() != null && !facts.user().name().equals(tool.checkedAs())) {
            findings.add(
                    Finding.warn(
                            "rights",
                            "judged for %s, as %s isn't the caller"
                                    .formatted(tool.checkedAs(), facts.user().name()),
                            "have --via run as root, or as " + facts.user().name()));
        }
        for (NodeFacts.Requirement requirement : tool.check().requirements()) {
            findings.add(
                    new Finding(
                            switch (requirement.status()) {
                                case "pass" -> Finding.Status.PASS;
                                case "warn" -> Finding.Status.WARN;
                                default -> Finding.Status.FAIL;
                            },
                            requirement.name(),
                            requirement.detail(),
                            requirement.fix()));
        }
    }

    private static void java(NodeFacts facts, List<Finding> findings) {
        NodeFacts.Java java = facts.java();
        if (java == null) {
            findings.add(
                    Finding.fail(
                            "java",
                            "no java was found",
                            "name the containers' JAVA_HOME with --java"));
        } else if (feature(java.version()) < NEEDED_JAVA) {
            findings.add(
                    Finding.fail(
                            "java",
                            "%s in %s: jobs that name our classes fail here"
                                    .formatted(java.version(), java.home()),
                            "run containers with Java 17, or name their JAVA_HOME with --java"));
        } else if (feature(java.version()) != NEEDED_JAVA) {
            findings.add(
                    Finding.warn(
                            "java",
                            "%s in %s".formatted(java.version(), java.home()),
                            "Java 17 is what is tested"));
        } else {
            findings.add(Finding.pass("java", "%s in %s".formatted(java.version(), java.home())));
        }
    }

    /** 17 of 17.0.15, 8 of 1.8.0_392. */
    private static int feature(String version) {
        Matcher numbers = Pattern.compile("(?:1\\.)?(\\d+)").matcher(version);
        return numbers.lookingAt() ? Integer.parseInt(numbers.group(1)) : 0;
    }

    private static void hadoop(NodeFacts facts, List<Finding> findings) {
        if (facts.hadoop() == null) {
            findings.add(
                    Finding.fail(
                            "hadoop",
                            "no directory share/hadoop was found, as Hadoop's tarball has it",
                            "name its home with --hadoop; other layouts aren't known"));
            return;
        }
        version(facts.hadoop(), findings);
        List<String> speculators =
                facts.ourJars().keySet().stream()
                        .filter(path -> path.contains("hadoop-clone-speculator"))
                        .toList();
        if (speculators.isEmpty()) {
            findings.add(
                    Finding.fail(
                            "jar",
                            "hadoop-clone-speculator.jar isn't there, or containers can't read it",
                            "run sbin/install-node --hadoop %s; its directories must be open to all"
                                    .formatted(facts.hadoop().home())));
        } else if (speculators.size() > 1) {
            findings.add(
                    Finding.fail(
                            "jar",
                            "two versions on one class path: " + String.join(", ", speculators),
                            "remove the older one"));
        } else {
            findings.add(Finding.pass("jar", speculators.get(0)));
        }
    }

    private static void version(NodeFacts.Hadoop hadoop, List<Finding> findings) {
        if (hadoop.version() == null) {
            findings.add(
                    Finding.warn(
                            "hadoop",
                            "%s, whose version can't be told".formatted(hadoop.home()),
                            "Hadoop 3.4 and 3.5 are known"));
        } else if (KNOWN_HADOOP.matcher(hadoop.version()).lookingAt()) {
            findings.add(
                    Finding.pass("hadoop", "%s in %s".formatted(hadoop.version(), hadoop.home())));
        } else {
            findings.add(
                    Finding.fail(
                            "hadoop",
                            "%s in %s: its jobs would run as stock's"
                                    .formatted(hadoop.version(), hadoop.home()),
                            "Hadoop 3.4 and 3.5 are known"));
        }
    }

    private static void localDirectories(NodeFacts facts, List<Finding> findings) {
        if (facts.localDirectories() == null || facts.localDirectories().isEmpty()) {
            findings.add(
                    Finding.warn(
                            "local-dirs",
                            "no yarn.nodemanager.local-dirs were found, so they aren't compared",
                            "name the directory of yarn-site.xml with --conf"));
            return;
        }
        for (NodeFacts.LocalDirectory directory : facts.localDirectories()) {
            if (directory.freeMegabytes() == null) {
                findings.add(
                        Finding.warn(
                                "local-dirs",
                                directory.path() + " isn't there",
                                "start the NodeManager, which makes it"));
            }
        }
    }

    private static void ports(NodeFacts facts, List<Finding> findings) {
        NodeFacts.Ports ports = facts.ports();
        if (ports == null) {
            return;
        }
        int free = ports.last() - ports.first() + 1 - ports.busy();
        String detail = "%d of %d-%d are free".formatted(free, ports.first(), ports.last());
        findings.add(
                free > 0
                        ? Finding.pass("ports", detail)
                        : Finding.fail("ports", detail, "set another CRIU_REMOTE_CLONE_PORT"));
    }

    private static void memory(NodeFacts facts, List<Finding> findings) {
        NodeFacts.Memory memory = facts.memory();
        String detail =
                "%d of %d MB available"
                        .formatted(memory.availableMegabytes(), memory.totalMegabytes());
        findings.add(
                memory.availableMegabytes() >= MEMORY_MEGABYTES
                        ? Finding.pass("node memory", detail)
                        : Finding.warn(
                                "node memory",
                                detail,
                                "leave room for an image beside containers"));
    }

    private static void clock(Node node, List<Finding> findings) {
        long offset = Math.abs(node.clockOffsetMillis()) - node.clockErrorMillis();
        String detail =
                "%+d ms, ± %d ms".formatted(node.clockOffsetMillis(), node.clockErrorMillis());
        findings.add(
                offset <= CLOCK_MILLIS
                        ? Finding.pass("clock", detail)
                        : Finding.warn(
                                "clock",
                                detail,
                                "keep the nodes' time by NTP: a clone's time of day jumps by the"
                                        + " difference"));
    }
}
