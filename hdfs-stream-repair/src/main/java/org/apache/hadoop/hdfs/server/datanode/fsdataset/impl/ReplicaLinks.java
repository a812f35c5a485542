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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;

/** A door to the DataNode's replicas: makes one a replica of another block too. */
@SuppressWarnings("try") // locks are held, not used
@InterfaceAudience.Private
public final class ReplicaLinks {
    private final FsDatasetImpl data;
    private final ReplicaLocks locks;

    /**
     * @throws IOException if the DataNode has no replicas yet, or keeps them in another way than
     *     HDFS does by itself
     */
    public ReplicaLinks(FsDatasetSpi<?> data) throws IOException {
        if (!(data instanceof FsDatasetImpl own)) {
            throw new IOException("replicas of " + data + " can't be linked: copy them instead");
        }
        this.data = own;
        locks = ReplicaLocks.of(own.acquireDatasetLockManager());
    }

    /**
     * @param source finished, with the replica's exact length
     * @param destination not yet on this DataNode
     * @param sync whether the destination's directory is to be on disk at the end; what it names is
     *     as safe as the source
     * @return the storage that holds both
     * @throws IOException with nothing changed
     */
    public String link(ExtendedBlock source, ExtendedBlock destination, boolean sync)
            throws IOException {
        ReplicaInfo from = finished(source);
        try (FsVolumeReference reference = from.getVolume().obtainReference()) {
            FsVolumeImpl volume = (FsVolumeImpl) reference.getVolume();
            LocalReplicaInPipeline to = reserve(volume, destination);
            try {
                linkFiles(source, volume, to);
                data.finalizeBlock(destination, sync);
            } catch (Throwable e) {
                // Errors too: a replica that nobody finishes would be there until a restart.
                discard(destination, e);
                throw e;
            }
            return volume.getStorageID();
        }
    }

    private ReplicaInfo finished(ExtendedBlock block) throws IOException {
        ReplicaInfo replica = data.getReplicaInfo(block);
        if (replica.getState() != ReplicaState.FINALIZED) {
            throw new ReplicaNotFoundException(
                    ReplicaNotFoundException.UNFINALIZED_REPLICA + replica);
        }
        if (replica.getNumBytes() != block.getNumBytes()) {
            throw new IOException(block + " has " + replica.getNumBytes() + " bytes here");
        }
        if (replica.getVolume().isTransientStorage() || !isLocal(replica)) {
            throw new IOException(
                    block + " is in " + replica.getVolume().getStorageType() + ": copy it instead");
        }
        return replica;
    }

    private static boolean isLocal(ReplicaInfo replica) {
        return replica.getBlockURI() != null && "file".equals(replica.getBlockURI().getScheme());
    }

    /** From here on nobody else can make a replica of the block. */
    private LocalReplicaInPipeline reserve(FsVolumeImpl volume, ExtendedBlock block)
            throws IOException {
        ExtendedBlock empty = new ExtendedBlock(block);
        empty.setNumBytes(0);
        try (AutoCloseDataSetLock lock = locks.write(block, volume.getStorageID())) {
            ReplicaInfo there = data.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
            if (there != null) {
                throw new ReplicaAlreadyExistsException(block + " is here already: " + there);
            }
            LocalReplicaInPipeline replica = (LocalReplicaInPipeline) volume.createTemporary(empty);
            data.volumeMap.add(block.getBlockPoolId(), replica.getReplicaInfo());
            return replica;
        }
    }

    /** It may be finished already, if only its directory couldn't be synced. */
    private void discard(ExtendedBlock block, Throwable cause) {
        try {
            data.unfinalizeBlock(block);
            data.invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Under the source's lock, because an append breaks the links of a replica before it opens it:
     * linked between the two, the new block would be written to as well.
     */
    private void linkFiles(ExtendedBlock source, FsVolumeImpl volume, LocalReplicaInPipeline to)
            throws IOException {
        try (AutoCloseDataSetLock lock = locks.read(source, volume.getStorageID())) {
            ReplicaInfo from = finished(source);
            if (from.getVolume() != volume) {
                throw new IOException(source + " has just moved to another volume");
            }
            File placeholder = to.getBlockFile();
            Files.delete(placeholder.toPath());
            FsDatasetImpl.hardLinkBlockFiles(from, to.getMetaFile(), placeholder);
            to.setNumBytes(source.getNumBytes());
        }
    }
}
