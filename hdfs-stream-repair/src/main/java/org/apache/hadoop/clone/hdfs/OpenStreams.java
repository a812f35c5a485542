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

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.client.impl.LeaseRenewer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All output streams to HDFS that this process has open, and the files that it has written to its
 * work path. In this order:
 *
 * <ol>
 *   <li>{@link #obstacle}: can they be repaired at all?
 *   <li>{@link #quiesce}, with the threads that write parked and RPCs still possible. From then on
 *       the streams send nothing, neither packets nor heartbeats, until
 *   <li>in the original: {@link #release};
 *   <li>in the clone, under its new name and with RPCs possible again, from any thread, but before
 *       anybody writes: {@link #repair}. Whoever holds a stream, be it wrapped in whatever, goes on
 *       with the clone's own file, at the same position.
 * </ol>
 *
 * <p>The streams are found where HDFS's client keeps them for the renewal of its leases. So no
 * stream escapes, whatever file system object opened it, and nothing is on the path of a write.
 */
@InterfaceAudience.Private
public final class OpenStreams {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);

    private static final long POLL_MILLIS = 1;

    /**
     * A DataNode ends a pipeline of which it hears nothing for the socket's time-out, and its last
     * heartbeat may be half of that old. A third of the other half is for what comes before a
     * freeze.
     */
    private static final int SHARE_OF_TIMEOUT = 6;

    private final Path workPath;
    private final FileSystem system;
    private final List<OpenStream> streams;
    private final Map<DFSClient, String> names = new IdentityHashMap<>();
    private WorkFiles workFiles = WorkFiles.NONE;

    /** Of those that write; and, once it has those, of the threads that send. */
    private Hold writers;

    private Hold senders;
    private long holdNanos;

    private OpenStreams(Path workPath, FileSystem system, List<OpenStream> streams) {
        this.workPath = workPath;
        this.system = system;
        this.streams = streams;
        streams.forEach(stream -> names.put(stream.client(), stream.client().getClientName()));
    }

    /**
     * @param workPath where the task attempt writes what it will commit
     * @throws IOException if its file system can't be had
     * @throws IllegalStateException with a Hadoop that isn't known
     */
    public static OpenStreams find(Path workPath, Configuration conf) throws IOException {
        FileSystem system = workPath.getFileSystem(conf);
        return new OpenStreams(
                system.makeQualified(workPath),
                system,
                openStreams().stream().map(OpenStream::new).toList());
    }

    /** Whether this process has any open, wherever. */
    public static boolean any() {
        return !openStreams().isEmpty();
    }

    /** To which this process writes at this moment. */
    public static Set<DatanodeInfo> dataNodes() {
        return openStreams().stream()
                .flatMap(out -> Stream.of(OutputStreamDoor.pipeline(out)))
                .collect(Collectors.toSet());
    }

    private static List<DFSOutputStream> openStreams() {
        List<DFSOutputStream> found = new ArrayList<>();
        for (DFSClient client : clients()) {
            Map<String, DFSOutputStream> open = Hidden.OPEN_STREAMS.get(client);
            synchronized (open) {
                found.addAll(open.values());
            }
        }
        return found.stream().filter(out -> !OutputStreamDoor.isClosed(out)).toList();
    }

    /** A client is there as long as it has files open. */
    private static Set<DFSClient> clients() {
        Object factory = Hidden.RENEWER_FACTORY.get(null);
        List<LeaseRenewer> renewers;
        synchronized (factory) {
            renewers = List.copyOf(Hidden.RENEWERS.get(factory).values());
        }
        Set<DFSClient> clients = Collections.newSetFromMap(new IdentityHashMap<>());
        for (LeaseRenewer renewer : renewers) {
            synchronized (renewer) {
                clients.addAll(Hidden.CLIENTS.get(renewer));
            }
        }
        return clients;
    }

    /**
     * Why a clone couldn't go on with them, or have what else is in the work path, whatever their
     * state.
     *
     * @throws IOException if the NameNode doesn't answer
     */
    public Optional<String> obstacle() throws IOException {
        if (!streams.isEmpty() && !(system instanceof DistributedFileSystem)) {
            return Optional.of("it writes to HDFS, and its work path is " + workPath);
        }
        for (OpenStream stream : streams) {
            if (!isInWorkPath(stream.path())) {
                return Optional.of(
                        "it writes to " + stream.path() + ", which isn't in " + workPath);
            }
            if (!stream.isWhereItWasOpened()) {
                return Optional.of(stream.path() + " was moved or deleted while it was open");
            }
        }
        Optional<String> unrepairable = unrepairable();
        if (unrepairable.isPresent()) {
            return unrepairable;
        }
        WorkFiles files = workFiles();
        // Somebody may be writing, and have opened one since ours were looked for.
        return files.obstacle(ids(openStreams().stream()));
    }

    /** Why a clone couldn't go on with one of them, wherever it writes. */
    Optional<String> unrepairable() {
        return streams.stream().flatMap(stream -> stream.obstacle().stream()).findFirst();
    }

    private boolean isInWorkPath(String path) {
        return path.startsWith(workPath.toUri().getPath() + Path.SEPARATOR);
    }

    /**
     * How much of all that {@link #repair} would have to copy at this moment, since no DataNode can
     * link it; exact but for the last chunk of each open stream. Asks NameNode and DataNodes, and
     * may be asked while somebody writes.
     *
     * @throws IOException if they don't answer
     */
    public long bytesToCopy() throws IOException {
        long sum = 0;
        try (FileClones clones = new FileClones()) {
            for (OpenStream stream : streams) {
                sum +=
                        clones.by(stream.client())
                                        .bytesToCopy(
                                                stream.stream().getFileId(),
                                                stream.path(),
                                                stream.pool())
                                + OutputStreamDoor.writtenInBlock(stream.stream());
            }
            for (ClosedFile file : workFiles().closed()) {
                sum += clones.by(ownClient()).bytesToCopy(file.fileId(), file.path(), file.pool());
            }
        }
        return sum;
    }

    /** For files that no stream has; there are none unless the work path is in HDFS. */
    private DFSClient ownClient() {
        return ((DistributedFileSystem) system).getClient();
    }

    /** Of each stream, once they are quiet. */
    List<StreamState> states() {
        return streams.stream().map(OpenStream::state).toList();
    }

    /**
     * Flushes all streams, and stops them.
     *
     * @return why not, with everything running on; empty if they stand still
     */
    public Optional<String> quiesce(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Optional<String> failure = flush(deadline);
        if (failure.isPresent()) {
            return failure;
        }
        holdNanos = System.nanoTime();
        try {
            // In this order: a writer may wait for its sender.
            writers = Hold.on(streams.stream().<Object>map(OpenStream::stream).toList());
            if (!writers.isComplete(deadline - System.nanoTime())) {
                return letGo("somebody writes to its streams all the time");
            }
            senders =
                    Hold.on(streams.stream().map(s -> OutputStreamDoor.queue(s.stream())).toList());
            if (!senders.isComplete(deadline - System.nanoTime())) {
                return letGo("its streams send all the time");
            }
            while (!streams.stream().allMatch(OpenStream::isStill)) {
                if (System.nanoTime() > deadline) {
                    return letGo("its streams don't come to rest in " + limit);
                }
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            release();
            throw e;
        }
        return Optional.empty();
    }

    /** Whether they have stood still for so long that they mightn't outlive a freeze. */
    public boolean areOverdue() {
        return writers != null && areOverdue(System.nanoTime() - holdNanos);
    }

    boolean areOverdue(long nanos) {
        return streams.stream()
                .mapToLong(stream -> stream.client().getConf().getSocketTimeout())
                .filter(timeout -> timeout > 0)
                .anyMatch(timeout -> nanos > MILLISECONDS.toNanos(timeout) / SHARE_OF_TIMEOUT);
    }

    private Optional<String> letGo(String why) {
        release();
        return Optional.of(why);
    }

    /**
     * In another thread, since an interrupt would break the streams. If it takes too long it goes
     * on to its end alone, beside the writer. A pipeline that breaks meanwhile, or a NameNode that
     * refuses a block that is just begun, ends the stream as it would in the writer's own flush.
     */
    private Optional<String> flush(long deadline) throws InterruptedException {
        FutureTask<WorkFiles> task =
                new FutureTask<>(
                        () -> {
                            for (OpenStream stream : streams) {
                                stream.flush();
                            }
                            return workFiles();
                        });
        Thread thread = new Thread(task, "hdfs-stream-flush");
        thread.setDaemon(true);
        thread.start();
        try {
            workFiles = task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            // It is these that a clone will have, so one that was opened since doesn't do.
            return workFiles.obstacle(Set.of());
        } catch (TimeoutException e) {
            return Optional.of("its streams can't be flushed in time");
        } catch (ExecutionException e) {
            return Optional.of("its streams can't be flushed: " + e.getCause());
        }
    }

    private WorkFiles workFiles() throws IOException {
        return system instanceof DistributedFileSystem hdfs
                ? WorkFiles.in(hdfs, workPath, ids(streams.stream().map(OpenStream::stream)))
                : WorkFiles.NONE;
    }

    private static Set<Long> ids(Stream<DFSOutputStream> streams) {
        return streams.map(DFSOutputStream::getFileId).collect(Collectors.toSet());
    }

    /** In the original: lets the streams go on. Nothing if they do. */
    public void release() {
        letSend();
        if (writers != null) {
            writers.release();
            writers = null;
        }
    }

    private void letSend() {
        if (senders != null) {
            senders.release();
            senders = null;
        }
    }

    /**
     * In the clone: makes its own files of the original's, and lets its streams go on there. The
     * original's streams end here without a word to anyone. A client that still has the name it had
     * when it was found gets another.
     *
     * <p>Another thread that writes to one of them, or closes it, waits until all of them are the
     * clone's own: what it did to the original's would be lost, or end the original's file. If that
     * fails it waits on.
     *
     * @param newWorkPath of the clone's attempt, in the same file system
     * @throws IOException if the clone must not go on
     */
    public void repair(Path newWorkPath) throws IOException {
        String from = workPath.toUri().getPath();
        String to = newWorkPath.toUri().getPath();
        streams.forEach(OpenStream::silence);
        letSend(); // that is, end
        names.forEach(OpenStreams::rename);
        try (FileClones clones = new FileClones()) {
            for (OpenStream stream : streams) {
                DFSOutputStream old = stream.stream();
                stream.become(
                        clones.by(stream.client())
                                .of(
                                        stream.state(),
                                        renamed(stream.path(), from, to),
                                        stream.flags(),
                                        OutputStreamDoor.progress(old),
                                        OutputStreamDoor.checksum(old)));
            }
            for (ClosedFile file : workFiles.closed()) {
                clones.by(ownClient()).ofClosed(file, renamed(file.path(), from, to));
            }
        }
        release();
        LOG.info(
                "{} streams go on in {}, with {} closed files",
                streams.size(),
                newWorkPath,
                workFiles.closed().size());
    }

    /**
     * Leases belong to names, so that one of the original's name could do everything to its files.
     */
    private static void rename(DFSClient client, String old) {
        if (client.getClientName().equals(old)) {
            Hidden.CLIENT_NAME.set(
                    client,
                    old + "_clone_" + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        }
    }

    private static String renamed(String path, String from, String to) {
        return to + path.substring(from.length());
    }
}
