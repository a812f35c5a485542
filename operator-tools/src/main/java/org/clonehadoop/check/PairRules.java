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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a process of one node can go on on another: the rules that the tool applies in its
 * handshake (docs/internals/requirements.md), as far as they can be told without a process. Pure.
 *
 * <p>"Each can clone to the other" is no equivalence: a node without one of our jars, or whose
 * kernel's version isn't known, may fit two others that don't fit each other.
 */
final class PairRules {
    /** What must be equal: its name, its value, what to do. */
    private record Same(String name, Function<NodeFacts, Object> value, String fix) {}

    private static final List<Same> SAME =
            List.of(
                    new Same(
                            "criu",
                            facts -> majorMinor(facts.tool().check().host().criu()),
                            "install the same CRIU on both: sbin/install-node"),
                    new Same(
                            "tool",
                            facts -> brief(facts.tool().sha256()),
                            "install the same release on both: sbin/install-node"),
                    new Same(
                            "user", facts -> facts.user().uid(), "give the user one id everywhere"),
                    new Same(
                            "group",
                            facts -> facts.user().gid(),
                            "give the user's group one id everywhere"),
                    new Same(
                            "architecture",
                            facts -> facts.tool().check().host().architecture(),
                            "none"),
                    new Same("page size", facts -> facts.tool().check().host().pageSize(), "none"),
                    new Same(
                            "java home",
                            facts -> facts.java().home(),
                            "install it at the same path"),
                    new Same(
                            "java build",
                            facts -> facts.java().version() + " " + brief(facts.java().libjvm()),
                            "install the same build of the JDK on both"),
                    new Same(
                            "system libraries",
                            facts -> brief(facts.java().libraries()),
                            "bring both to the same state of packages: a JVM's clone needs the same"
                                    + " libc"),
                    new Same(
                            "hadoop home",
                            facts -> facts.hadoop().home(),
                            "install it at the same path"),
                    new Same(
                            "hadoop jars",
                            facts -> brief(facts.hadoop().jars()),
                            "install the same Hadoop on both"),
                    new Same(
                            "local-dirs",
                            facts -> directories(facts),
                            "use the same yarn.nodemanager.local-dirs"));

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d{1,9})(?:[.-](\\d{1,9}))?");

    private PairRules() {}

    /**
     * What keeps processes of {@code source} from going on on {@code target}; empty if nothing
     * does. Both must be able by themselves ({@link NodeRules}).
     */
    static List<Finding> of(NodeFacts source, NodeFacts target) {
        List<Finding> findings = new ArrayList<>();
        for (Same same : SAME) {
            Object here = same.value.apply(source);
            Object there = same.value.apply(target);
            if (!Objects.equals(here, there)) {
                findings.add(
                        Finding.fail(same.name, "%s, not %s".formatted(there, here), same.fix));
            }
        }
        jars(source, target, findings);
        kernel(source, target, findings);
        cpu(source.tool().check().host(), target.tool().check().host(), findings);
        return findings;
    }

    /** Two nodes with the same key are the same to all rules. */
    static Map<String, Object> key(NodeFacts facts) {
        Map<String, Object> key = new LinkedHashMap<>();
        SAME.forEach(same -> key.put(same.name, same.value.apply(facts)));
        key.put("our jars", facts.ourJars());
        key.put("kernel", majorMinor(facts.tool().check().host().kernel()));
        key.put("cpu flags", facts.tool().check().host().cpuFlags());
        key.put("cpu registers", facts.tool().check().host().cpuRegisterFlags());
        return key;
    }

    /** A process finds out once what its kernel can do, and goes on using it. */
    private static void kernel(NodeFacts source, NodeFacts target, List<Finding> findings) {
        String here = source.tool().check().host().kernel();
        String there = target.tool().check().host().kernel();
        if (isOlder(there, here)) {
            findings.add(
                    Finding.fail(
                            "kernel",
                            "%s is older than %s".formatted(there, here),
                            "boot the same kernel on both"));
        }
    }

    private static void cpu(NodeFacts.Host source, NodeFacts.Host target, List<Finding> findings) {
        List<String> lacking = new ArrayList<>(source.cpuFlags());
        lacking.removeAll(target.cpuFlags());
        List<String> more = new ArrayList<>(target.cpuRegisterFlags());
        more.removeAll(source.cpuRegisterFlags());
        String fix = "none: clones stay among nodes with the same CPU";
        if (!lacking.isEmpty()) {
            findings.add(Finding.fail("cpu", "lacks " + String.join(" ", lacking), fix));
        }
        if (!more.isEmpty()) {
            findings.add(
                    Finding.fail(
                            "cpu", "has more registers to save: " + String.join(" ", more), fix));
        }
    }

    /** Of whatever a distribution appends; a version without numbers is what it is. */
    private static String majorMinor(String version) {
        Matcher numbers = MAJOR_MINOR.matcher(version);
        return numbers.lookingAt()
                ? numbers.group(1) + "." + Objects.requireNonNullElse(numbers.group(2), "0")
                : version;
    }

    private static boolean isOlder(String version, String other) {
        Matcher here = MAJOR_MINOR.matcher(majorMinor(version));
        Matcher there = MAJOR_MINOR.matcher(majorMinor(other));
        return here.matches() && there.matches() && number(here) < number(there);
    }

    private static long number(Matcher majorMinor) {
        return Long.parseLong(majorMinor.group(1)) << 32 | Long.parseLong(majorMinor.group(2));
    }

    /** One that the target lacks travels with the clone, as those of DataNodes alone do. */
    private static void jars(NodeFacts source, NodeFacts target, List<Finding> findings) {
        source.ourJars()
                .forEach(
                        (path, here) -> {
                            String there = target.ourJars().getOrDefault(path, here);
                            if (!there.equals(here)) {
                                findings.add(
                                        Finding.fail(
                                                "our jars",
                                                "%s is %s, not %s"
                                                        .formatted(path, brief(there), brief(here)),
                                                "install the same release on both:"
                                                        + " sbin/install-node"));
                            }
                        });
    }

    private static List<String> directories(NodeFacts facts) {
        return facts.localDirectories() == null
                ? List.of()
                : facts.localDirectories().stream().map(NodeFacts.LocalDirectory::path).toList();
    }

    private static String brief(String checksum) {
        return checksum == null || checksum.isEmpty()
                ? "unknown"
                : checksum.substring(0, Math.min(12, checksum.length()));
    }
}
