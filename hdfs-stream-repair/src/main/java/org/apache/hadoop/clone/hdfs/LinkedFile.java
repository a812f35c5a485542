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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file under construction that gets blocks of another file by links. */
final class LinkedFile {
    private static final Logger LOG = LoggerFactory.getLogger(LinkedFile.class);

    private static final String NOT_REPLICATED_YET =
            "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException";

    /** DataNodes report new replicas at once, unless they are told to save them up. */
    private static final long FIRST_WAIT_MILLIS = 2;

    private static final long LONGEST_WAIT_MILLIS = 500;
    private static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final DFSClient client;
    private final LinkClient links;
    private final String path;
    private final HdfsFileStatus file;
    private LocatedBlock last;
    private long bytes;
    private boolean noMoreReplicas;

    LinkedFile(DFSClient client, LinkClient links, String path, HdfsFileStatus file) {
        this.client = client;
        this.links = links;
        this.path = path;
        this.file = file;
    }

    /** The last block, with its length, if there is any. */
    Optional<LocatedBlock> last() {
        return Optional.ofNullable(last);
    }

    /** Length of its blocks. */
    long bytes() {
        return bytes;
    }

    /**
     * Links a finished block to the end.
     *
     * @param sync whether it has to be on disk before the next one begins
     * @return false, with the file as it was, if no DataNode can
     */
    boolean add(LocatedBlock source, boolean sync) throws IOException {
        LocatedBlock added = allocate(source);
        added.getBlock().setNumBytes(source.getBlockSize());
        List<Integer> linked = new ArrayList<>();
        List<DatanodeInfo> others = new ArrayList<>();
        List<Boolean> results = links.link(source, added, sync);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i)) {
                linked.add(i);
            } else {
                others.add(source.getLocations()[i]);
            }
        }
        if (linked.isEmpty()) {
            client.getNamenode()
                    .abandonBlock(added.getBlock(), file.getFileId(), path, client.getClientName());
            return false;
        }
        if (linked.size() < file.getReplication() && !noMoreReplicas) {
            topUp(source, added, linked, others);
        }
        last = added;
        bytes += source.getBlockSize();
        return true;
    }

    /** Where the NameNode puts it doesn't count: a block is where DataNodes report it. */
    private LocatedBlock allocate(LocatedBlock source) throws IOException {
        String[] favored =
                Stream.of(source.getLocations())
                        .map(DatanodeID::getXferAddr)
                        .toArray(String[]::new);
        ExtendedBlock previous = last == null ? null : last.getBlock();
        long deadline = Time.monotonicNow() + LIMIT_MILLIS;
        for (long wait = FIRST_WAIT_MILLIS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS)) {
            try {
                return client.getNamenode()
                        .addBlock(
                                path,
                                client.getClientName(),
                                previous,
                                null,
                                file.getFileId(),
                                favored,
                                null);
            } catch (RemoteException e) {
                if (!e.getClassName().equals(NOT_REPLICATED_YET)
                        || Time.monotonicNow() > deadline) {
                    throw e;
                }
            }
            sleep(wait);
        }
    }

    /**
     * Has the missing replicas made at once: the NameNode would wait for those it has planned, for
     * five to ten minutes.
     */
    private void topUp(
            LocatedBlock source,
            LocatedBlock added,
            List<Integer> linked,
            List<DatanodeInfo> others) {
        DatanodeInfo[] nodes =
                linked.stream().map(i -> source.getLocations()[i]).toArray(DatanodeInfo[]::new);
        String[] storages =
                linked.stream().map(i -> source.getStorageIDs()[i]).toArray(String[]::new);
        try {
            LocatedBlock more =
                    client.getNamenode()
                            .getAdditionalDatanode(
                                    path,
                                    file.getFileId(),
                                    added.getBlock(),
                                    nodes,
                                    storages,
                                    others.toArray(new DatanodeInfo[0]),
                                    file.getReplication() - nodes.length,
                                    client.getClientName());
            noMoreReplicas = !links.replicate(nodes[0], additional(more, List.of(nodes), added));
        } catch (IOException e) {
            // As for any file then: HDFS makes them when it can.
            noMoreReplicas = true;
            LOG.info("{} gets no more than {} replicas now: {}", path, nodes.length, e.toString());
        }
    }

    /** In the NameNode's answer new nodes stand anywhere among those it was told. */
    private static LocatedBlock additional(
            LocatedBlock all, List<DatanodeInfo> known, LocatedBlock block) {
        int[] added =
                IntStream.range(0, all.getLocations().length)
                        .filter(i -> !known.contains(all.getLocations()[i]))
                        .toArray();
        LocatedBlock additional =
                new LocatedBlock(
                        block.getBlock(),
                        select(added, all.getLocations()),
                        select(added, all.getStorageIDs()),
                        select(added, all.getStorageTypes()));
        additional.setBlockToken(all.getBlockToken());
        return additional;
    }

    private static <T> T[] select(int[] indices, T[] of) {
        T[] selected = Arrays.copyOf(of, indices.length);
        Arrays.setAll(selected, i -> of[indices[i]]);
        return selected;
    }

    private static void sleep(long millis) throws InterruptedIOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while blocks were linked");
        }
    }
}
