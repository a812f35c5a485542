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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.unix.DomainSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the reads of one client have in common: how they are duplicated, and what is known of
 * DataNodes.
 */
final class Duplicates {
    private static final Logger LOG = LoggerFactory.getLogger(Duplicates.class);
    private static final LongSupplier CLOCK = System::nanoTime;

    private final DFSClient client;
    private final ReadSettings settings;
    private final DuplicateThreads threads;
    private final StageNodes stages = new StageNodes(CLOCK);
    private final String originalName;
    private final String task;
    private final LocalReads localReads;
    private final ReplicaOrder order;
    private JobId all;
    private long jobs;

    /**
     * @param task of which the reads are parts; null without one
     */
    Duplicates(DFSClient client, ReadSettings settings, String task) {
        this.client = client;
        this.settings = settings;
        this.threads = DuplicateThreads.of(settings);
        // A task's process may go on at another host, where that memory isn't.
        this.order = ReplicaOrder.of(task == null ? settings.memory() : Optional.empty());
        this.localReads = localReads(client, settings.shortCircuit());
        this.originalName = client.getClientName();
        this.task = task;
    }

    /** Which replica is to be read first. */
    ReplicaOrder order() {
        return order;
    }

    /** How replicas on this host are read. */
    LocalReads localReads() {
        return localReads;
    }

    private static LocalReads localReads(DFSClient client, boolean wanted) {
        if (!wanted) {
            return LocalReads.STOCK;
        }
        ShortCircuitConf conf = client.getConf().getShortCircuitConf();
        Optional<String> obstacle =
                LocalReads.obstacle(conf, DomainSocket.getLoadingFailureReason());
        obstacle.ifPresent(why -> LOG.warn("No reads of local files are duplicated: {}", why));
        return LocalReads.of(obstacle);
    }

    ReadSettings settings() {
        return settings;
    }

    DuplicateThreads threads() {
        return threads;
    }

    /** Not before there is something to count: most tasks' reads have no duplicate. */
    DuplicateReadStatistics statistics() {
        return DuplicateReadStatistics.ofJvm();
    }

    synchronized JobId nextJob() {
        if (all == null) {
            JobId random = JobId.random(ThreadLocalRandom.current());
            // Attempts of a task read the same, but not in the same order.
            all = task == null ? random : new JobId(whole(task, random), random.part());
        }
        return all.part(jobs++);
    }

    private static long whole(String task, JobId otherwise) {
        try {
            return JobId.named(task).whole();
        } catch (InternalError e) {
            // A JVM without MD5. That its attempts are one job nobody has to know.
            return otherwise.whole();
        }
    }

    /**
     * Where a duplicate of a read may go, the best first. Nowhere from a clone of a task: that is a
     * duplicate itself.
     *
     * @param primary where the read goes
     * @param isDead what the stream knows of DataNodes
     */
    List<DatanodeInfo> places(
            ReadBlock block, DatanodeInfo primary, Predicate<DatanodeInfo> isDead) {
        List<DatanodeInfo> places = new ArrayList<>();
        if (isClone()) {
            return places;
        }
        for (DatanodeInfo node : block.located().getLocations()) {
            if (!node.equals(primary)
                    && stages.mayHaveOne(node.getDatanodeUuid())
                    && !isDead.test(node)) {
                places.add(node);
            }
        }
        return order.best(places);
    }

    /**
     * Whether the primary of a read may wait in its DataNode's stage. A clone's doesn't: what is a
     * duplicate itself is no primary there.
     */
    boolean queuesAt(DatanodeInfo node) {
        return settings.stageWait().isPresent()
                && stages.mayHaveOne(node.getDatanodeUuid())
                && !isClone();
    }

    /** A task's clients are renamed when its process becomes another attempt's, and never else. */
    private boolean isClone() {
        return !client.getClientName().equals(originalName);
    }

    /** A copy has found no stage. */
    void hasNoStage(DatanodeInfo node, NoStageException why) {
        if (stages.hasNone(node.getDatanodeUuid())) {
            tellOfNoStage(node, why);
        }
    }

    /**
     * A copy has waited for its turn in vain.
     *
     * @param sinceNanos when it came, by {@link System#nanoTime}
     */
    void stageSaysNothing(DatanodeInfo node, long sinceNanos, Exception why) {
        if (stages.saysNothing(node.getDatanodeUuid(), sinceNanos)) {
            tellOfNoStage(node, why);
        }
    }

    private void tellOfNoStage(DatanodeInfo node, Exception why) {
        statistics().count(Counter.WITHOUT_STAGE);
        LOG.info("No reads go through a stage at {} for now: {}", node, why.getMessage());
    }

    /** A copy has found its stage. */
    void hasStage(DatanodeInfo node) {
        stages.hasOne(node.getDatanodeUuid());
    }

    /** One of a read and its duplicate, which a stage was asked for, has it. */
    void ended(DatanodeInfo primary, boolean lost) {
        Optional<Double> share = RaceRecords.ofJvm().ended(primary.getDatanodeUuid(), lost);
        share.ifPresent(
                lostOnes ->
                        LOG.warn(
                                "Of the last reads at {} that had duplicates, {} % were faster at another"
                                        + " DataNode; look after its disks and its network",
                                primary, Math.round(100 * lostOnes)));
    }
}
