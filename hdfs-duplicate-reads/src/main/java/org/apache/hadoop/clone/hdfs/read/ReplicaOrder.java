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
package org.apache.hadoop.clone.hdfs.read;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.clonehadoop.selection.c3.C3;
import org.clonehadoop.selection.c3.Ewma;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which replica to read first, and which next, by C3's score. DataNodes don't tell how long their
 * queues are and how long they serve; so R is taken for 1/µ, and 0 for q̄:
 *
 * <pre>
 *   score = R · (1 + outstanding)³
 * </pre>
 *
 * with what this host has seen for R, and this process's reads that wait for {@code outstanding}.
 * C3 tries a server first of which nothing is known. Here that would be most of a cluster, and near
 * ones would be passed over; so it is taken for as fast as others were lately, and of equals the
 * NameNode's order holds. DataNodes that are to go or are in maintenance come last, as in the
 * NameNode's: what is usual says nothing of them.
 *
 * <p>Safe for use by several threads. Whatever fails, the order is the NameNode's.
 */
final class ReplicaOrder {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaOrder.class);

    private static final double PACKET_BYTES = 64 << 10;

    /** Of one sample in what is usual. */
    private static final double WEIGHT_OF_ONE = 0.05;

    /** What a failure counts for: a packet a second is as slow as anything that is remembered. */
    private static final double AS_IF_MICROS = 1e6;

    private static final Map<Path, ReplicaOrder> SHARED = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> outstanding = new ConcurrentHashMap<>();
    private volatile NodeSpeeds speeds;
    private volatile double usual = Double.NaN;

    /**
     * @param speeds null for the NameNode's order
     */
    ReplicaOrder(NodeSpeeds speeds) {
        this.speeds = speeds;
    }

    /**
     * All clients of a JVM have the same.
     *
     * @param directory of the host's memory; empty for the NameNode's order
     */
    static ReplicaOrder of(Optional<Path> directory) {
        return directory.isPresent()
                ? SHARED.computeIfAbsent(directory.get(), ReplicaOrder::of)
                : new ReplicaOrder(null);
    }

    private static ReplicaOrder of(Path directory) {
        try {
            HostMemory memory = HostMemory.open(HostMemory.file(directory));
            return new ReplicaOrder(
                    new NodeSpeeds(
                            memory,
                            () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis())));
        } catch (IOException | RuntimeException e) {
            LOG.warn("Replicas are read in the NameNode's order: {}", e.toString());
            return new ReplicaOrder(null);
        }
    }

    /** Whether it is the NameNode's. */
    boolean isNameNodes() {
        return speeds == null;
    }

    /** The best first; of equals in the order in which they were. */
    List<DatanodeInfo> best(List<DatanodeInfo> nodes) {
        NodeSpeeds known = speeds;
        if (known == null || nodes.size() < 2) {
            return nodes;
        }
        try {
            // All scores at one time: others change them.
            Map<DatanodeInfo, Double> scores = new HashMap<>();
            double otherwise = usual(known, nodes);
            for (DatanodeInfo node : nodes) {
                double micros = known.micros(node.getDatanodeUuid()).orElse(otherwise);
                scores.put(node, C3.score(micros, micros, 0, reads(node), 1));
            }
            List<DatanodeInfo> ordered = new ArrayList<>(nodes);
            ordered.sort(
                    Comparator.comparing((DatanodeInfo node) -> !node.isInService())
                            .thenComparing(scores::get));
            return ordered;
        } catch (RuntimeException | InternalError e) {
            giveUp(e);
            return nodes;
        }
    }

    /** Of one of which nothing is known; 0, which is the same for all, if that holds for all. */
    private double usual(NodeSpeeds known, List<DatanodeInfo> nodes) {
        double lately = usual;
        return Double.isNaN(lately)
                ? nodes.stream()
                        .map(node -> known.micros(node.getDatanodeUuid()))
                        .filter(OptionalDouble::isPresent)
                        .mapToDouble(OptionalDouble::getAsDouble)
                        .average()
                        .orElse(0)
                : lately;
    }

    private int reads(DatanodeInfo node) {
        AtomicInteger reads = outstanding.get(node.getDatanodeUuid());
        return reads == null ? 0 : reads.get();
    }

    /** Its caller waits for a primary there. */
    void begins(DatanodeInfo node) {
        if (speeds != null) {
            outstanding
                    .computeIfAbsent(node.getDatanodeUuid(), unused -> new AtomicInteger())
                    .incrementAndGet();
        }
    }

    /** No longer. */
    void ends(DatanodeInfo node) {
        AtomicInteger reads = outstanding.get(node.getDatanodeUuid());
        if (reads != null) {
            reads.updateAndGet(count -> Math.max(0, count - 1));
        }
    }

    /**
     * A primary's caller has waited for a range. If it got less by then, it is known to be slow.
     *
     * @param bytes of the range
     */
    void waited(DatanodeInfo node, long bytes, long nanos) {
        NodeSpeeds known = speeds;
        if (known == null) {
            return;
        }
        try {
            double packets = Math.max(1, bytes / PACKET_BYTES);
            double micros = nanos / 1e3 / packets;
            known.took(node.getDatanodeUuid(), micros);
            usual = Ewma.next(usual, micros, WEIGHT_OF_ONE);
        } catch (RuntimeException | InternalError e) {
            giveUp(e);
        }
    }

    /** A primary there couldn't be reached, or stopped. It says nothing of what is usual. */
    void failed(DatanodeInfo node) {
        NodeSpeeds known = speeds;
        if (known == null) {
            return;
        }
        try {
            known.took(node.getDatanodeUuid(), AS_IF_MICROS);
        } catch (RuntimeException | InternalError e) {
            giveUp(e);
        }
    }

    // A mapped file that was cut short is an InternalError.
    private void giveUp(Throwable why) {
        speeds = null;
        LOG.warn("Replicas are read in the NameNode's order from now on: {}", why.toString());
    }
}
