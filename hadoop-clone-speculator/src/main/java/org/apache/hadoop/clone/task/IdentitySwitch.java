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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hadoop.clone.metrics.CounterRoom;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a process that was restored as a copy of one attempt another attempt. All of its threads
 * but the caller's are parked or wait at the gate.
 */
final class IdentitySwitch {
    private static final Logger LOG = LoggerFactory.getLogger(IdentitySwitch.class);

    /** Group of the counter by which the job's history shows what was cloned from what. */
    private static final String COUNTERS = "org.apache.hadoop.clone";

    private static final IOException CLOSED =
            new IOException("this is a clone; the connection is not");

    private static final long CLOSING_MILLIS = TimeUnit.SECONDS.toMillis(5);
    private static final long POLL_MILLIS = 2;

    private IdentitySwitch() {}

    /**
     * Ends every RPC connection, since the other ends are the original's, and gives every RPC
     * client an id of its own: servers answer a call that they take for a repeated one from a
     * cache, without doing anything (HDFS's retry cache, HDFS-4979).
     */
    static void dropConnections(CloneIds ids) throws IOException, InterruptedException {
        for (Object client : TaskHooks.snapshot(TaskHooks.CLIENTS)) {
            byte[] id = Hidden.CLIENT_ID.get(client);
            System.arraycopy(ids.clientId(), 0, id, 0, id.length);
            Map<?, ?> connections = Hidden.CONNECTIONS.get(client);
            for (Object connection : connections.values()) {
                Hidden.MARK_CLOSED.invoke(connection, CLOSED);
            }
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSING_MILLIS);
            while (!connections.isEmpty()) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("connections of " + client + " don't end");
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    /** All of the rest. In whatever it fails, the process must not go on. */
    static void to(CloneIdentity identity, CloneIds ids, RunningTask task) throws IOException {
        TaskAttemptID old = copy(task.attempt());
        TaskAttemptID now = identity.attempt();
        if (!old.getTaskID().equals(now.getTaskID()) || old.equals(now)) {
            throw new IOException(old + " can't become " + now);
        }
        TaskHooks.ORIGINALS.add(old);
        task.moveOutput(now);
        overwrite(task.attempt(), now);
        // Read from the wire by itself, so it has an id of its own.
        overwrite(Hidden.STATUS.get(task.task()).getTaskID(), now);
        for (Configuration conf : configurations()) {
            rename(conf, old.toString(), now.toString());
        }
        renameCaller(old.toString(), now.toString());
        renameHdfsClients(old.toString(), now.toString(), ids);
        new TaskCommitter(task.task(), task.job()).rename(old.toString(), now.toString());
        forgetDeletions();
        TaskProcesses.carryOver(task.task());
        countOrigin(Hidden.COUNTERS.get(task.task()), old);
        LOG.info("{} has become {}", old, now);
    }

    /** Where it could be one too many for the job, only the AppMaster's log has it. */
    static void countOrigin(Counters counters, TaskAttemptID original) {
        if (CounterRoom.isAmple(counters)) {
            counters.findCounter(COUNTERS, "CLONED_FROM_ATTEMPT_" + original.getId()).setValue(1);
        }
    }

    /**
     * Ends the connections to DataNodes of streams that are read; they make others when they are
     * read next. With the gate open: who reads one may hold its monitor and wait there.
     */
    static void dropReaders() {
        for (Object stream : TaskHooks.snapshot(TaskHooks.STREAMS)) {
            ((CanUnbuffer) stream).unbuffer();
        }
    }

    private static TaskAttemptID copy(TaskAttemptID id) throws IOException {
        TaskAttemptID copy = new TaskAttemptID();
        overwrite(copy, id);
        return copy;
    }

    /** In place: half of the task shares the one object. */
    private static void overwrite(TaskAttemptID id, TaskAttemptID with) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        with.write(out);
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        id.readFields(in);
    }

    /** Every Configuration of the process. */
    private static List<Configuration> configurations() {
        synchronized (Configuration.class) {
            return new ArrayList<>(Hidden.CONFIGURATIONS.get(null).keySet());
        }
    }

    /**
     * One whose resources have changed has no properties until it is asked next, which would read
     * them anew; but it keeps what was set in it.
     */
    private static void rename(Configuration conf, String old, String now) {
        Properties loaded = Hidden.PROPERTIES.get(conf);
        Properties set = Hidden.SET_PROPERTIES.get(conf);
        if (loaded != null) {
            replace(loaded, old, now, conf::set);
        } else if (set != null) {
            replace(set, old, now, set::setProperty);
        }
    }

    private static void replace(
            Properties properties, String old, String now, BiConsumer<String, String> setter) {
        for (String key : properties.stringPropertyNames()) {
            String value = properties.getProperty(key);
            if (value.contains(old)) {
                setter.accept(key, value.replace(old, now));
            }
        }
    }

    /** Threads share the object, so that it is changed for all of them. */
    private static void renameCaller(String old, String now) {
        CallerContext caller = CallerContext.getCurrent();
        if (caller != null && caller.getContext() != null) {
            Hidden.CALLER.set(caller, caller.getContext().replace(old, now));
        }
    }

    /** Whatever they are inside of: a FileContext's are in no cache. */
    private static void renameHdfsClients(String old, String now, CloneIds ids) {
        // Never two clones of one name: leases belong to names.
        String suffix = ids.suffix();
        TaskHooks.isClone(suffix);
        for (Object made : TaskHooks.snapshot(TaskHooks.HDFS_CLIENTS)) {
            DFSClient client = (DFSClient) made;
            Hidden.HDFS_CLIENT_NAME.set(
                    client, client.getClientName().replace(old, now) + "_" + suffix);
        }
    }

    /** With those that others are made of, as ViewFs is: they are in a cache of its own. */
    private static Set<FileSystem> fileSystems() {
        Object cache = Hidden.FILE_SYSTEM_CACHE.get(null);
        Set<FileSystem> found = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<FileSystem> open = new ArrayDeque<>(Hidden.CACHED_FILE_SYSTEMS.get(cache).values());
        while (!open.isEmpty()) {
            FileSystem system = open.remove();
            if (found.add(system)) {
                open.addAll(inside(system));
            }
        }
        return found;
    }

    /** A ViewFs that is asked itself would connect to all that is mounted. */
    private static Collection<FileSystem> inside(FileSystem system) {
        if (system instanceof ViewFileSystem) {
            Object cache = Hidden.VIEW_CACHE.get(system);
            return cache == null ? List.of() : Hidden.VIEWED_FILE_SYSTEMS.get(cache).values();
        }
        return system instanceof FilterFileSystem
                ? List.of(system.getChildFileSystems())
                : List.of();
    }

    /**
     * What was to be deleted at the process's end is the original's, which may still read it. Local
     * files are the clone's own.
     */
    private static void forgetDeletions() {
        for (FileSystem system : fileSystems()) {
            if (!system.getUri().getScheme().equals("file")) {
                Set<?> paths = Hidden.DELETIONS.get(system);
                synchronized (paths) {
                    paths.clear();
                }
            }
        }
        Map<?, ?> contexts = Hidden.CONTEXTS_DELETIONS.get(null);
        synchronized (contexts) {
            contexts.clear();
        }
    }
}
