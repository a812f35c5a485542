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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.stage.Gate;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.XceiverDoor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.datanode.metrics.MetricsDoor;

/**
 * A stage for each volume, with its own limit and its own gate; and one for jobs of which nobody
 * knows which volume they need, which give way to all.
 */
final class VolumeStages {
    /** One of the stages. */
    private record Stage(Place place, Limit limit) {}

    private final DataNode node;
    private final StageSettings settings;
    private final Server<StagedRead> server;
    private final Stayers stayers;

    /** To each volume: its scanner's, if there is one. */
    private final int lastingReferences;

    private final Presence anywhere = new Presence(this::allReferences, () -> stayed(volumes()));
    private final IdleHolders idle;
    private final Presence atDisks;
    private final Stage unnamed;

    // Seen by all threads, changed by one.
    private final Map<FsVolumeImpl, Presence> presences = new ConcurrentHashMap<>();
    private final Map<FsVolumeImpl, Stage> stages = new ConcurrentHashMap<>();

    VolumeStages(DataNode node, StageSettings settings, Server<StagedRead> server) {
        this.node = node;
        this.settings = settings;
        this.server = server;
        this.stayers = new Stayers(() -> XceiverDoor.atBlocks(node));
        this.lastingReferences = node.getBlockScanner().isEnabled() ? 1 : 0;
        UntakenBytes untaken = new UntakenBytes(node.getXferAddress().getPort());
        IdleWriters writers =
                new IdleWriters(
                        () -> XceiverDoor.openForWriting(node),
                        () -> MetricsDoor.bytesWritten(node.getMetrics()),
                        System::nanoTime);
        this.idle =
                new IdleHolders(
                        () -> XceiverDoor.sendingTo(node, untaken.peers()) + writers.count(),
                        this::allReferences,
                        System::nanoTime);
        this.atDisks = new Presence(idle::others, () -> stayed(volumes()));
        this.unnamed = stage(anywhere, List.of(anywhere, atDisks));
    }

    private Stage stage(Presence here, List<Presence> belongsTo) {
        Limit limit = settings.newLimit();
        QueueStage<StagedRead> stage =
                new QueueStage<>(server, limit, gate(here), settings.queue(), System::nanoTime);
        return new Stage(new Place(stage, belongsTo), limit);
    }

    private Gate<StagedRead> gate(Presence here) {
        return switch (settings.yield()) {
            case VOLUME -> duplicate -> !here.others();
            case ACTIVE -> duplicate -> !here.others() || !atDisks.others();
            case NODE -> duplicate -> !anywhere.others();
            case NONE -> Gate.open();
        };
    }

    private int allReferences() {
        int sum = 0;
        for (FsVolumeImpl volume : presences.keySet()) {
            sum += volume.getReferenceCount();
        }
        return sum;
    }

    /**
     * Where a job belongs. Called by one thread, as all that follows.
     *
     * @return empty if there is none: the DataNode isn't ready, or has no such blocks, or keeps
     *     them so that nobody knows who uses them
     */
    Optional<Place> place(StageHeader header) {
        if (presences.isEmpty() || !isOfPool(header)) {
            return Optional.empty();
        }
        Stage stage = header.block().flatMap(this::volume).map(this::stageOf).orElse(unnamed);
        return Optional.of(stage.place());
    }

    // Hadoop makes, and keeps, a lock for each pool that it is asked for.
    private boolean isOfPool(StageHeader header) {
        try {
            if (header.block().isPresent()) {
                node.getDNRegistrationForBP(header.block().get().pool());
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    // The other ways ask for the block's generation stamp as well.
    @SuppressWarnings("deprecation")
    private Optional<FsVolumeImpl> volume(BlockName block) {
        return node.getFSDataset().getReplica(block.pool(), block.id())
                                instanceof ReplicaInfo replica
                        && replica.getVolume() instanceof FsVolumeImpl volume
                ? Optional.of(volume)
                : Optional.empty();
    }

    private Stage stageOf(FsVolumeImpl volume) {
        return stages.computeIfAbsent(
                volume,
                key -> {
                    Presence here = presence(volume);
                    return stage(here, List.of(here, anywhere, atDisks));
                });
    }

    private Presence presence(FsVolumeImpl volume) {
        return presences.computeIfAbsent(
                volume, key -> new Presence(volume::getReferenceCount, () -> stayed(1)));
    }

    private int volumes() {
        return presences.size();
    }

    private int stayed(int volumes) {
        return stayers.count() + volumes * lastingReferences;
    }

    /** Learns which volumes there are now. */
    void refresh() {
        FsDatasetSpi<?> replicas = node.getFSDataset();
        if (replicas == null) {
            return;
        }
        Set<FsVolumeSpi> there = new HashSet<>();
        try (FsVolumeReferences volumes = replicas.getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                there.add(volume);
            }
        } catch (IOException e) {
            return; // until the next time
        }
        for (FsVolumeSpi volume : there) {
            if (volume instanceof FsVolumeImpl known) {
                presence(known);
            }
        }
        // What waits for one that is gone will have waited for too long.
        presences.keySet().retainAll(there);
        stages.keySet().retainAll(there);
    }

    /**
     * Looks who is there, and lets those begin who may.
     *
     * @param hasJobs whether there may be any
     */
    void pulse(boolean hasJobs) {
        long now = System.nanoTime();
        stayers.sample(now);
        if (!presences.isEmpty()) {
            anywhere.sample(now);
            if (settings.yield() == StageSettings.Yield.ACTIVE) {
                idle.sample(atDisks, hasJobs);
            }
        }
        presences.values().forEach(presence -> presence.sample(now));
        all().forEach(stage -> stage.place().stage().schedule());
    }

    /** The most copies that any stage serves at once. */
    int level() {
        return all().stream().mapToInt(stage -> stage.limit().level()).max().orElse(0);
    }

    private List<Stage> all() {
        List<Stage> all = new ArrayList<>(stages.values());
        all.add(unnamed);
        return all;
    }
}
