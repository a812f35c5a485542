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
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.InputStreamDoor;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;

/**
 * Stock's stream of a file, but for the readers of replicas. Tokens, dead nodes, retries, reports
 * and statistics are around these, and stock's.
 */
final class DuplicateReadInputStream extends InputStreamDoor.Stream {
    private final Duplicates duplicates;
    private final ReplicaReaders readers;
    private final Pace pace = new Pace();
    private volatile List<DatanodeInfo> lastPlaces = List.of();
    private RacedReader streaming;

    DuplicateReadInputStream(
            DFSClient client,
            String file,
            boolean verifyChecksum,
            LocatedBlocks located,
            Duplicates duplicates)
            throws IOException {
        super(client, file, verifyChecksum, located);
        this.duplicates = duplicates;
        this.readers = new ReplicaReaders(client);
    }

    @Override
    protected BlockReader getBlockReader(
            LocatedBlock located,
            long offset,
            long length,
            InetSocketAddress address,
            StorageType storage,
            DatanodeInfo node)
            throws IOException {
        // A stream's own reads hold its monitor, positional ones don't: stock has no other mark.
        boolean isStream = Thread.holdsLock(this);
        if (isStream) {
            streaming = null;
        }
        ReadBlock block = new ReadBlock(located, src, verifyChecksum, caching());
        boolean isLocal = isLocal(address);
        if (length <= 0
                || isStocks()
                || isLocal && duplicates.localReads() == LocalReads.STOCK
                || duplicates.places(block, node, this::isDead).isEmpty()) {
            return super.getBlockReader(located, offset, length, address, storage, node);
        }
        RacedReader reader =
                new RacedReader(
                        duplicates,
                        block,
                        new Reading(
                                isStream ? pace : null,
                                isLocal ? new LocalFile(node, address, storage) : null),
                        node,
                        address,
                        offset,
                        length);
        reader.open();
        if (isStream) {
            streaming = reader;
        }
        return reader;
    }

    /** Stock leaves its reader open if the file system was closed before. */
    @Override
    public synchronized void close() throws IOException {
        try {
            super.close();
        } finally {
            closeCurrentBlockReaders();
        }
    }

    /** All that might be read from but the best, if that isn't the NameNode's to say. */
    @Override
    protected Collection<DatanodeInfo> passedOver(
            LocatedBlock block, Collection<DatanodeInfo> ignored) {
        DatanodeInfo[] nodes = block.getLocations();
        if (nodes == null || duplicates.order().isNameNodes()) {
            return ignored; // stock knows what to do then
        }
        List<DatanodeInfo> usable = new ArrayList<>();
        for (DatanodeInfo node : nodes) {
            if (!isDead(node) && (ignored == null || !ignored.contains(node))) {
                usable.add(node);
            }
        }
        List<DatanodeInfo> ordered = duplicates.order().best(usable);
        if (ordered.equals(usable)) {
            return ignored;
        }
        Set<DatanodeInfo> passedOver = new HashSet<>(ordered.subList(1, ordered.size()));
        if (ignored != null) {
            passedOver.addAll(ignored);
        }
        return passedOver;
    }

    private CachingStrategy caching() {
        synchronized (infoLock) {
            return cachingStrategy;
        }
    }

    /** What is duplicated by stock's client, or read by something else. */
    private boolean isStocks() {
        return InputStreamDoor.isHedged(dfsClient)
                || !dfsClient.getConf().getReplicaAccessorBuilderClasses().isEmpty();
    }

    /** What isn't read through TCP. */
    private boolean isLocal(InetSocketAddress address) throws IOException {
        ShortCircuitConf local = dfsClient.getConf().getShortCircuitConf();
        return (local.isShortCircuitLocalReads() && !isUnderConstruction()
                        || local.isDomainSocketDataTraffic())
                && DFSUtilClient.isLocalAddress(address);
    }

    private boolean isDead(DatanodeInfo node) {
        return dfsClient.getDeadNodes(this).containsKey(node);
    }

    /**
     * Stock leaves the DataNode that it has chosen. If bytes came from another one, whose duplicate
     * had won, it might go there. With two replicas it does: it knows no third place.
     */
    @Override
    public synchronized boolean seekToNewSource(long target) throws IOException {
        DatanodeInfo at = getCurrentDatanode();
        DatanodeInfo chosen = super.getCurrentDatanode();
        if (at == null || at.equals(chosen) || isDead(at) || !isThereAnother(target, at, chosen)) {
            return super.seekToNewSource(target);
        }
        addToLocalDeadNodes(at);
        try {
            return super.seekToNewSource(target);
        } finally {
            removeFromLocalDeadNodes(at);
            lastPlaces = List.of(at);
        }
    }

    private boolean isThereAnother(long target, DatanodeInfo at, DatanodeInfo chosen)
            throws IOException {
        for (DatanodeInfo node : getBlockAt(target).getLocations()) {
            if (!node.equals(at) && !node.equals(chosen) && !isDead(node)) {
                return true;
            }
        }
        return false;
    }

    /** Where bytes come from; stock's doesn't know of duplicates that have won. */
    @Override
    public synchronized DatanodeInfo getCurrentDatanode() {
        DatanodeInfo current = super.getCurrentDatanode();
        return current == null || streaming == null ? current : streaming.node();
    }

    @Override
    protected void closeCurrentBlockReaders() {
        super.closeCurrentBlockReaders();
        streaming = null;
    }

    /** A replica on this host, as stock opens it. */
    private record LocalFile(DatanodeInfo node, InetSocketAddress address, StorageType storage) {}

    private final class Reading implements RacedReader.Stream {
        private final Pace pace;
        private final LocalFile file;

        /**
         * @param file null if the replica is read through TCP
         */
        Reading(Pace pace, LocalFile file) {
            this.pace = pace;
            this.file = file;
        }

        @Override
        public BlockReader openLocal(
                ReadBlock block, DatanodeInfo node, long from, long length, Connection connection)
                throws IOException {
            return file == null || !node.equals(file.node())
                    ? null
                    : LocalReader.open(
                            duplicates.threads().ofFiles(),
                            connection,
                            () ->
                                    DuplicateReadInputStream.super.getBlockReader(
                                            block.located(),
                                            from,
                                            length,
                                            file.address(),
                                            file.storage(),
                                            node));
        }

        @Override
        public ReplicaReaders readers() {
            return readers;
        }

        @Override
        public boolean isDead(DatanodeInfo node) {
            return DuplicateReadInputStream.this.isDead(node);
        }

        @Override
        public List<DatanodeInfo> lastPlaces() {
            return lastPlaces;
        }

        @Override
        public void ofNoHelp(List<DatanodeInfo> places) {
            lastPlaces = places;
        }

        @Override
        public void isCorrupt(DatanodeInfo node) {
            addToLocalDeadNodes(node);
        }

        @Override
        public void mayBeCorrupt(DatanodeInfo node) {
            removeFromLocalDeadNodes(node);
        }

        @Override
        public void report(ReadBlock block, DatanodeInfo node) {
            CorruptedBlocks corrupted = new CorruptedBlocks();
            corrupted.addCorruptedBlock(block.located().getBlock(), node);
            reportCheckSumFailure(corrupted, block.located().getLocations().length, false);
        }

        @Override
        public Pace pace() {
            return pace;
        }
    }
}
