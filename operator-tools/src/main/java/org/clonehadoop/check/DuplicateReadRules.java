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
import java.util.Set;

/**
 * What a DataNode's network and disks must be so that duplicates of reads come after all else there
 * as well (docs/duplicate-reads-datanode.md). All of it is an aid, since duplicates give way packet
 * by packet anyway, and nothing of it keeps a node from cloning: so there are only warnings. Pure.
 */
final class DuplicateReadRules {
    /** Linux' {@code rt_tos2priority}: with these bits a packet is "bulk", band 2 of three. */
    private static final int BULK_MASK = 0x18;

    private static final int BULK = 0x08;
    private static final int DEFAULT_TRAFFIC_CLASS = 8;

    /** Strict bands by a packet's type of service, with nothing to be configured. */
    private static final Set<String> BANDS = Set.of("pfifo_fast", "prio");

    /** Only hold others, which are listed as well. */
    private static final Set<String> AROUND = Set.of("mq", "tbf");

    /** With classes, and what is in which is up to the operator's filters. */
    private static final Set<String> FILTERED =
            Set.of("htb", "hfsc", "drr", "ets", "qfq", "mqprio", "taprio", "cake");

    private DuplicateReadRules() {}

    /**
     * @param facts null where no duplicates are served
     */
    static List<Finding> of(NodeFacts.DuplicateReads facts) {
        List<Finding> findings = new ArrayList<>();
        if (facts == null) {
            return findings;
        }
        findings.add(jar(facts));
        network(facts, findings);
        disks(facts, findings);
        return findings;
    }

    private static Finding jar(NodeFacts.DuplicateReads facts) {
        return facts.jar() != null
                ? Finding.pass("duplicate reads", facts.jar())
                : Finding.warn(
                        "duplicate reads",
                        "the plugin is configured, and its jar isn't among Hadoop's: the DataNode"
                                + " doesn't start without it",
                        "put hdfs-duplicate-reads.jar into share/hadoop/hdfs");
    }

    private static void network(NodeFacts.DuplicateReads facts, List<Finding> findings) {
        int trafficClass = number(facts.trafficClass());
        if ((trafficClass & BULK_MASK) != BULK) {
            findings.add(
                    Finding.warn(
                            "duplicates' network",
                            "type of service %d isn't in the lowest band".formatted(trafficClass),
                            "leave dfs.datanode.duplicate.traffic-class at 8, or see to its class"
                                    + " in qdiscs and switches"));
            return;
        }
        List<NodeFacts.DuplicateReads.Link> queues =
                facts.links().stream()
                        // A bridge, or a VLAN: its packets queue at the device below it.
                        .filter(link -> !link.qdiscs().equals(List.of("noqueue")))
                        .toList();
        queues.forEach(link -> findings.add(queue(link)));
        if (queues.isEmpty()) {
            findings.add(
                    Finding.warn(
                            "duplicates' network",
                            "no network device with an address has a queue of its own",
                            "look at the device below it: `tc qdisc show`"));
        }
    }

    private static Finding queue(NodeFacts.DuplicateReads.Link link) {
        List<String> kinds = link.qdiscs();
        String detail =
                "%s: %s"
                        .formatted(
                                link.device(),
                                kinds.isEmpty() ? "no qdisc is seen" : String.join(", ", kinds));
        if (hasBands(kinds)) {
            return Finding.pass("duplicates' network", detail);
        }
        return kinds.stream().anyMatch(FILTERED::contains)
                ? Finding.warn(
                        "duplicates' network",
                        detail + ": its filters decide",
                        "give packets with type of service 8 the lowest class")
                : Finding.warn(
                        "duplicates' network",
                        detail + ": duplicates' packets aren't after all others",
                        "`tc qdisc replace dev %s root prio`, and see that it lasts"
                                .formatted(link.device()));
    }

    private static boolean hasBands(List<String> kinds) {
        if (kinds.isEmpty()) {
            return false;
        }
        if (BANDS.contains(kinds.get(0))) {
            return true;
        }
        List<String> inside = kinds.stream().filter(kind -> !AROUND.contains(kind)).toList();
        return AROUND.contains(kinds.get(0)) && !inside.isEmpty() && BANDS.containsAll(inside);
    }

    private static void disks(NodeFacts.DuplicateReads facts, List<Finding> findings) {
        if ("none".equalsIgnoreCase(facts.ioClass())) {
            return;
        }
        if (!facts.ionice()) {
            findings.add(
                    Finding.warn(
                            "duplicates' disks",
                            "ionice isn't there, so duplicates have the DataNode's own class",
                            "install util-linux"));
        }
        boolean givesWay = !"none".equalsIgnoreCase(facts.yield());
        facts.disks().forEach(disk -> findings.add(disk(disk, givesWay)));
        if (facts.disks().isEmpty()) {
            findings.add(
                    Finding.warn(
                            "duplicates' disks",
                            "no disk was found for dfs.datanode.data.dir",
                            "look at its scheduler: `cat /sys/block/DEVICE/queue/scheduler`"));
        }
    }

    private static Finding disk(NodeFacts.DuplicateReads.Disk disk, boolean givesWay) {
        String scheduler = disk.scheduler().isBlank() ? "no scheduler" : disk.scheduler();
        String detail = disk.device() + ": " + scheduler;
        String fix = "`echo bfq > /sys/block/%s/queue/scheduler`".formatted(disk.device());
        if (scheduler.equals("bfq")) {
            return Finding.pass("duplicates' disks", detail);
        }
        if (!givesWay) {
            return Finding.warn(
                    "duplicates' disks",
                    detail + ": with yield=none duplicates give way to nobody",
                    fix + ", or dfs.datanode.duplicate.yield=volume");
        }
        return scheduler.equals("mq-deadline")
                ? Finding.pass("duplicates' disks", detail + ", among requests that wait in it")
                : Finding.warn(
                        "duplicates' disks",
                        detail + ": it knows no classes; packet by packet duplicates give way",
                        fix + ", and see that it lasts; a fast disk needs it less");
    }

    private static int number(String configured) {
        try {
            return Integer.parseInt(configured.trim());
        } catch (NumberFormatException e) {
            // Blank, or one that the DataNode itself refuses.
            return DEFAULT_TRAFFIC_CLASS;
        }
    }
}
