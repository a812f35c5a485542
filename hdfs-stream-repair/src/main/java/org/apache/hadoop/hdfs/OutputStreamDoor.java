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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.Progressable;

/** A door to what an output stream shows its own package only. */
@InterfaceAudience.Private
public final class OutputStreamDoor {
    private OutputStreamDoor() {}

    public static DFSClient client(DFSOutputStream out) {
        return out.dfsClient;
    }

    public static Configuration configuration(DFSClient client) {
        return client.getConfiguration();
    }

    /** The client has just shown the NameNode that it is alive. */
    public static void leaseRenewed(DFSClient client) {
        client.updateLastLeaseRenewal();
    }

    public static String path(DFSOutputStream out) {
        return out.getSrc();
    }

    public static boolean isClosed(DFSOutputStream out) {
        return out.isClosed();
    }

    /** The monitor without which its threads send nothing. */
    public static Object queue(DFSOutputStream out) {
        return out.getStreamer().dataQueue;
    }

    /** The thread that sends. */
    public static Thread streamer(DFSOutputStream out) {
        return out.getStreamer();
    }

    /** Of its block; none before the first. */
    public static DatanodeInfo[] pipeline(DFSOutputStream out) {
        DatanodeInfo[] nodes = out.getStreamer().getNodes();
        return nodes == null ? new DatanodeInfo[0] : nodes;
    }

    /** Whether nothing is on its way to the queue. */
    public static boolean hasPacket(DFSOutputStream out) {
        return out.currentPacket != null || !out.getStreamer().dataQueue.isEmpty();
    }

    /** Whether its pipeline has to be recovered. */
    public static boolean hasError(DFSOutputStream out) {
        return out.getStreamer().getErrorState().hasError();
    }

    /** Bytes in the block that isn't finished yet, for a flushed stream. */
    public static long flushedInBlock(DFSOutputStream out) {
        return out.lastFlushOffset;
    }

    public static long writtenInBlock(DFSOutputStream out) {
        return out.getStreamer().getBytesCurBlock();
    }

    /**
     * An hflush after which the writer's own next one still tells the NameNode of the block, and
     * its length, as the first in a block does. This one says nothing, unless the block is begun
     * meanwhile: a NameNode that doesn't take it would end the stream.
     */
    public static void flush(DFSOutputStream out) throws IOException {
        AtomicBoolean untold = out.getStreamer().getPersistBlocks();
        long block = generation(out);
        boolean was = untold.getAndSet(false);
        try {
            out.hflush();
        } finally {
            if (was || block != generation(out)) {
                untold.set(true);
            }
        }
    }

    /** Each block has another, and each pipeline of it. */
    private static long generation(DFSOutputStream out) {
        return lastBlock(out).map(ExtendedBlock::getGenerationStamp).orElse(-1L);
    }

    public static Optional<ExtendedBlock> lastBlock(DFSOutputStream out) {
        return Optional.ofNullable(out.getStreamer().getBlock());
    }

    public static DataChecksum checksum(DFSOutputStream out) {
        return out.getStreamer().checksum4WriteBlock;
    }

    public static Progressable progress(DFSOutputStream out) {
        return out.getStreamer().progress;
    }

    public static boolean syncsBlocks(DFSOutputStream out) {
        return out.shouldSyncBlock;
    }

    public static EnumSet<AddBlockFlag> addBlockFlags(DFSOutputStream out) {
        return out.getAddBlockFlags();
    }

    /** Its threads end, once they can, without a word to anyone. */
    public static void silence(DFSOutputStream out) {
        out.getStreamer().setStreamerAsClosed();
    }

    /** Waits for the end of its threads. */
    public static void closeThreads(DFSOutputStream out) throws IOException {
        out.closeThreads(true);
    }

    /** A stream for a file that was just created. */
    public static DFSOutputStream first(
            DFSClient client,
            String path,
            HdfsFileStatus created,
            EnumSet<CreateFlag> flags,
            Progressable progress,
            DataChecksum checksum) {
        DFSOutputStream out =
                new DFSOutputStream(client, path, created, flags, progress, checksum, null, true);
        out.start();
        return out;
    }

    /** A stream for a file that has blocks already, all finished. */
    public static DFSOutputStream next(
            DFSClient client,
            String path,
            HdfsFileStatus created,
            LocatedBlock last,
            EnumSet<CreateFlag> flags,
            Progressable progress,
            DataChecksum checksum)
            throws IOException {
        EnumSet<CreateFlag> appending = EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK);
        appending.addAll(flags);
        return DFSOutputStream.newStreamForAppend(
                client, path, appending, progress, last, created, checksum, null);
    }
}
