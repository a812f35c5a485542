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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.hadoop.clone.shuffle.UserThread;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.ClientContext;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.shortcircuit.DfsClientShm;
import org.apache.hadoop.hdfs.shortcircuit.DfsClientShmManager;
import org.apache.hadoop.hdfs.shortcircuit.DfsClientShmManager.PerDatanodeVisitorInfo;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitShm;
import org.apache.hadoop.net.unix.DomainSocket;

/**
 * Short-circuit reads: HDFS's client gets the files of blocks from a DataNode on its own host, and
 * memory that both share, over Unix sockets (HDFS-347, HDFS-5182). A clone elsewhere can have none
 * of these. So they end while a clone is made, and streams go on over TCP; later they come back, in
 * the original as in the clone.
 */
final class LocalReads {
    private static final long POLL_MILLIS = 5;

    /** Reads a block's file; not the legacy one, which has no memory in common with a DataNode. */
    private static final String FILE_READER = "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal";

    /** For a thread that may be talking to a DataNode. */
    private static final long LOOK_MILLIS = 1000;

    private final List<ShortCircuitConf> suspended = new ArrayList<>();

    /** Null if nothing was to be closed yet; of a disk that hangs it never ends. */
    private FutureTask<Void> closing;

    /** Descriptors of their sockets, which {@link #suspend} closes. */
    static Set<Integer> sockets() throws IOException {
        Set<Integer> descriptors = new HashSet<>();
        for (ClientContext context : HadoopPeers.contexts()) {
            List<DomainSocket> sockets = new ArrayList<>();
            for (Peer peer : HadoopPeers.cached(context.getPeerCache())) {
                sockets.add(peer.getDomainSocket()); // none, of one over TCP
            }
            for (ShortCircuitCache cache : Hidden.SHORT_CIRCUIT_CACHES.get(context)) {
                sockets.addAll(sockets(cache));
            }
            sockets.stream()
                    .filter(Objects::nonNull)
                    .map(Hidden.SOCKET_DESCRIPTOR::get)
                    .forEach(descriptors::add);
        }
        return descriptors;
    }

    /**
     * @return why they can't end, as other reads couldn't take their place
     */
    static Optional<String> obstacle() {
        if (confs().noneMatch(ShortCircuitConf::isShortCircuitLocalReads)) {
            return Optional.empty();
        }
        return TaskHooks.snapshot(TaskHooks.STREAMS).stream()
                .map(LocalReads::obstacle)
                .flatMap(Optional::stream)
                .findAny();
    }

    /** Of HDFS's clients in this process. */
    private static Stream<ShortCircuitConf> confs() {
        return TaskHooks.snapshot(TaskHooks.HDFS_CLIENTS).stream()
                .map(client -> ((DFSClient) client).getConf().getShortCircuitConf());
    }

    private static Optional<String> obstacle(Object stream) {
        if (Hidden.UNCOPIED_READS.get(stream) != null) {
            return Optional.of(
                    "it reads blocks of HDFS without copying them, which only local files allow");
        }
        BlockReader reader = Hidden.BLOCK_READER.get(stream);
        return reader != null && isWithdrawn(reader)
                ? Optional.of(
                        "of a block that it reads locally the DataNode has no more, or has ended")
                : Optional.empty();
    }

    /**
     * A reader of such a block goes on to its end, and no other could be made: the block may have
     * been deleted.
     */
    private static boolean isWithdrawn(BlockReader reader) {
        if (!reader.getClass().getName().equals(FILE_READER)) {
            return false;
        }
        ShortCircuitShm.Slot slot = Hidden.REPLICA.get(reader).getSlot();
        return slot != null && !slot.isValid();
    }

    /**
     * Ends them, and keeps HDFS's clients from new ones until {@link #resume}; nothing if there are
     * none. Harmless if they have ended.
     *
     * @return why they don't, or can't in so many milliseconds; {@link #resume} must follow in any
     *     case
     */
    Optional<String> suspend(long limitMillis) throws InterruptedException {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return obstacle;
        }
        for (ShortCircuitConf conf :
                confs().filter(ShortCircuitConf::isShortCircuitLocalReads).toList()) {
            suspended.add(conf);
            Hidden.READS_LOCALLY.set(conf, false);
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            while (!end(limitMillis)) {
                if (System.nanoTime() > deadline) {
                    return Optional.of(
                            "short-circuit reads of HDFS's blocks don't end in "
                                    + limitMillis
                                    + " ms");
                }
                Thread.sleep(POLL_MILLIS);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Lets them be; harmless if they were. */
    void resume() {
        suspended.forEach(conf -> Hidden.READS_LOCALLY.set(conf, true));
        suspended.clear();
    }

    /** In a clone, which may be on another host: which addresses are this one's. */
    static void forgetHost() {
        Hidden.LOCAL_ADDRESSES.get(null).clear();
    }

    /**
     * @return whether none is left
     */
    private boolean end(long limitMillis) throws IOException, InterruptedException {
        closeReaders(limitMillis);
        for (ClientContext context : HadoopPeers.contexts()) {
            for (ShortCircuitCache cache : Hidden.SHORT_CIRCUIT_CACHES.get(context)) {
                closeFiles(cache);
                awaitReleases(cache, limitMillis);
            }
            closePeers(context.getPeerCache());
        }
        return sockets().isEmpty() && HadoopPeers.caches().stream().allMatch(LocalReads::isEmpty);
    }

    /** Without shared memory blocks' open files have no socket. */
    private static boolean isEmpty(ShortCircuitCache cache) {
        ReentrantLock lock = Hidden.REPLICAS_LOCK.get(cache);
        lock.lock();
        try {
            return cache.getReplicaInfoMapSize() == 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next read makes another. Those over TCP stay. By a thread of its own, since a read from a
     * disk that hangs holds its stream for as long.
     */
    private void closeReaders(long limitMillis) throws IOException, InterruptedException {
        List<Object> streams =
                TaskHooks.snapshot(TaskHooks.STREAMS).stream().filter(LocalReads::isLocal).toList();
        if (streams.isEmpty()) {
            return;
        }
        if (closing == null || closing.isDone()) {
            closing =
                    new FutureTask<>(
                            () -> streams.forEach(stream -> ((CanUnbuffer) stream).unbuffer()),
                            null);
            new UserThread("clone-local-reads", closing).start();
        }
        try {
            closing.get(limitMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("a short-circuit read of a block doesn't end", e);
        }
    }

    private static boolean isLocal(Object stream) {
        BlockReader reader = Hidden.BLOCK_READER.get(stream);
        return reader != null && reader.isShortCircuit();
    }

    /** Those of readers that are closed are kept for the next. */
    private static void closeFiles(ShortCircuitCache cache) {
        ReentrantLock lock = Hidden.REPLICAS_LOCK.get(cache);
        lock.lock();
        try {
            int most = Hidden.MOST_REPLICAS.get(cache);
            cache.setMaxTotalSize(0);
            try {
                Hidden.TRIM_REPLICAS.invoke(cache);
            } finally {
                cache.setMaxTotalSize(most);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A thread of the cache tells the DataNode of each file that it is closed, over a socket of its
     * own. Memory that no file needs any more ends with its socket after that.
     */
    private static void awaitReleases(ShortCircuitCache cache, long limitMillis)
            throws IOException, InterruptedException {
        Map<String, DomainSocket> sockets = Hidden.RELEASE_SOCKETS.get(cache);
        byReleaser(
                cache,
                limitMillis,
                () -> {
                    for (DomainSocket socket : sockets.values()) {
                        socket.close();
                    }
                    sockets.clear();
                    return sockets;
                });
    }

    /** By that thread, after all it has to do by now; by nobody if it hasn't had anything yet. */
    private static <T> Optional<T> byReleaser(
            ShortCircuitCache cache, long limitMillis, Callable<T> what)
            throws IOException, InterruptedException {
        ScheduledThreadPoolExecutor releaser = Hidden.RELEASER.get(cache);
        if (releaser.getPoolSize() == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(releaser.submit(what).get(limitMillis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("a DataNode can't be told which blocks' files are closed", e);
        }
    }

    private static void closePeers(PeerCache peers) throws IOException {
        for (DatanodeID node : HadoopPeers.cachedNodes(peers)) {
            Peer peer = peers.get(node, true);
            while (peer != null) {
                peer.close();
                peer = peers.get(node, true);
            }
        }
    }

    /** Of the memory, and of the thread that tells what is closed. */
    private static List<DomainSocket> sockets(ShortCircuitCache cache) throws IOException {
        List<DomainSocket> sockets = new ArrayList<>();
        try {
            byReleaser(
                            cache,
                            LOOK_MILLIS,
                            () -> List.copyOf(Hidden.RELEASE_SOCKETS.get(cache).values()))
                    .ifPresent(sockets::addAll);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        DfsClientShmManager memory = cache.getDfsClientShmManager();
        if (memory != null) {
            memory.visit(
                    nodes ->
                            nodes.values().stream()
                                    .flatMap(LocalReads::segments)
                                    .map(segment -> segment.getPeer().getDomainSocket())
                                    .forEach(sockets::add));
        }
        return sockets;
    }

    private static Stream<DfsClientShm> segments(PerDatanodeVisitorInfo node) {
        return Stream.concat(node.full.values().stream(), node.notFull.values().stream());
    }
}
