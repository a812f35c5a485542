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
package org.apache.hadoop.clone.hdfs;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.client.impl.LeaseRenewer;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files with the contents of others: finished blocks are linked as long as DataNodes can, and
 * what comes after them is copied. Never changes anything of the other file.
 */
final class FileClone implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(FileClone.class);

    /** The NameNode finds a file by its number here, even after it was renamed by a commit. */
    private static final String INODES = "/.reserved/.inodes/";

    private static final int BUFFER = 128 << 10;

    private final DFSClient client;
    private final LinkClient links;

    FileClone(DFSClient client) throws IOException {
        this.client = client;
        this.links = new LinkClient(client);
    }

    /**
     * @param options for the stream and its later blocks
     * @param progress told of these blocks; may be null
     * @return a stream that has written what the other had when it was flushed
     * @throws IOException if the other file is gone, or the new one is there already, or can't be
     *     written
     */
    DFSOutputStream of(
            StreamState state,
            String to,
            EnumSet<CreateFlag> options,
            Progressable progress,
            DataChecksum checksum)
            throws IOException {
        String pool = state.lastBlock().map(ExtendedBlock::getBlockPoolId).orElse("");
        Source source = source(state.fileId(), state.path(), pool);
        Written written = Written.of(state, source.blocks());
        return make(source, written, to, options, progress, checksum);
    }

    /** The same for a file that was closed. */
    void ofClosed(ClosedFile file, String to) throws IOException {
        Source source = source(file.fileId(), file.path(), file.pool());
        make(
                        source,
                        Written.of(file, source.blocks()),
                        to,
                        EnumSet.noneOf(CreateFlag.class),
                        null,
                        client.getConf().createChecksum(null))
                .close();
    }

    /**
     * Bytes of a file's finished blocks that would be copied: from the first block on that no
     * DataNode can link.
     *
     * @param pool of its blocks; empty if it has none, or that isn't known
     */
    long bytesToCopy(long fileId, String path, String pool) throws IOException {
        long bytes = 0;
        boolean copied = false;
        LocatedBlocks blocks = source(fileId, path, pool).blocks();
        for (LocatedBlock block : blocks.getLocatedBlocks()) {
            boolean open = !blocks.isLastBlockComplete() && isLast(block, blocks);
            copied = copied || !open && !links.canLink(block);
            bytes += copied && !open ? block.getBlockSize() : 0;
        }
        return bytes;
    }

    private static boolean isLast(LocatedBlock block, LocatedBlocks of) {
        return block.getBlock().getBlockId() == of.getLastLocatedBlock().getBlock().getBlockId();
    }

    private record Source(String path, HdfsFileStatus status, LocatedBlocks blocks) {
        /** Whether it has a block there, or none is asked for. */
        boolean isIn(String pool) {
            LocatedBlock any = blocks.getLastLocatedBlock();
            return pool.isEmpty() || any != null && any.getBlock().getBlockPoolId().equals(pool);
        }
    }

    /**
     * Finds a file wherever it is now. With federation by routers a number alone leads to the
     * default nameservice, which may have another file of that number: then only the name leads to
     * the right one.
     *
     * @param pool of its blocks; empty if it has none
     */
    private Source source(long fileId, String name, String pool) throws IOException {
        for (String path : List.of(INODES + fileId, name)) {
            Optional<Source> there = there(path);
            if (there.isPresent()
                    && there.get().status().getFileId() == fileId
                    && there.get().isIn(pool)) {
                return there.get();
            }
        }
        throw new FileNotFoundException(name + " isn't there any more: its writer has gone");
    }

    private Optional<Source> there(String path) throws IOException {
        try {
            HdfsFileStatus status = client.getNamenode().getFileInfo(path);
            if (status != null) {
                return Optional.of(
                        new Source(
                                path,
                                status,
                                client.getNamenode().getBlockLocations(path, 0, Long.MAX_VALUE)));
            }
        } catch (RemoteException e) {
            if (!(e.unwrapRemoteException() instanceof FileNotFoundException)) {
                throw e;
            }
        }
        return Optional.empty();
    }

    private DFSOutputStream make(
            Source source,
            Written written,
            String to,
            EnumSet<CreateFlag> options,
            Progressable progress,
            DataChecksum checksum)
            throws IOException {
        HdfsFileStatus created = create(to, source.status());
        LinkedFile linked = new LinkedFile(client, links, to, created);
        for (LocatedBlock block : written.finished()) {
            if (!linked.add(block, options.contains(CreateFlag.SYNC_BLOCK))) {
                break;
            }
        }
        DFSOutputStream out =
                linked.last().isPresent()
                        ? OutputStreamDoor.next(
                                client,
                                to,
                                created,
                                linked.last().get(),
                                options,
                                progress,
                                checksum)
                        : OutputStreamDoor.first(client, to, created, options, progress, checksum);
        holdLease(out);
        copy(source.path(), linked.bytes(), written.bytes(), out);
        LOG.info(
                "{}: {} bytes linked, {} copied",
                to,
                linked.bytes(),
                written.bytes() - linked.bytes());
        return out;
    }

    private HdfsFileStatus create(String path, HdfsFileStatus like) throws IOException {
        ClientProtocol namenode = client.getNamenode();
        HdfsFileStatus created =
                namenode.create(
                        path,
                        new FsPermission(like.getPermission().toShort()),
                        client.getClientName(),
                        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                        true,
                        like.getReplication(),
                        like.getBlockSize(),
                        CryptoProtocolVersion.supported(),
                        null,
                        null);
        if (created.getErasureCodingPolicy() != null || created.getFileEncryptionInfo() != null) {
            throw new IOException(path + " would be encrypted or erasure coded");
        }
        return created;
    }

    /** As the client does for streams that it opens itself. */
    private void holdLease(DFSOutputStream out) {
        client.putFileBeingWritten(out.getUniqKey(), out);
        LeaseRenewer renewer = client.getLeaseRenewer();
        if (!renewer.put(client)) {
            LeaseRenewer.remove(renewer);
            client.getLeaseRenewer().put(client);
        }
        OutputStreamDoor.leaseRenewed(client);
    }

    private void copy(String from, long begin, long end, DFSOutputStream out) throws IOException {
        if (begin == end) {
            return;
        }
        byte[] buffer = new byte[(int) Math.min(BUFFER, end - begin)];
        try (DFSInputStream in = client.open(from)) {
            in.seek(begin);
            for (long position = begin; position < end; ) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, end - position));
                if (count < 0) {
                    throw new EOFException(from + " has " + position + " bytes, and not " + end);
                }
                out.write(buffer, 0, count);
                position += count;
            }
        }
    }

    @Override
    public void close() {
        links.close();
    }
}
