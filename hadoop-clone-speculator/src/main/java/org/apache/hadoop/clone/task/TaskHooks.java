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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.crac.Core;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.shuffle.AttemptOutputFiles;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillPoller;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.LoggerFactory;

/**
 * What {@link HookWriter} makes Hadoop's classes call. Everything here must be cheap and must never
 * throw: it runs in the midst of a task that knows nothing of clones.
 */
@InterfaceAudience.Private
public final class TaskHooks {
    static final Gate GATE = new Gate();
    static final FetchGate FETCHES = new FetchGate();
    static final ShuffleServers SHUFFLES = new ShuffleServers();
    static final RecordBoundary BOUNDARY = new RecordBoundary();
    static final UserResources RESOURCES = new UserResources(Core.getGlobalContext());
    static final OriginalsOutput ORIGINALS = new OriginalsOutput();
    static final MissingFiles MISSING = new MissingFiles(CloneMaking::halt);
    static final LocalReads LOCAL_READS = new LocalReads();
    static final Set<Object> CLIENTS = weakSet();
    static final Set<Object> STREAMS = weakSet();
    static final Set<Object> HDFS_CLIENTS = weakSet();

    private static String appMaster;

    /** The job that this process runs a task of. */
    private static JobID ownJob;

    /** In a clone, of the names of its HDFS clients. */
    private static volatile String clonesSuffix;

    private TaskHooks() {}

    /**
     * Puts the hooks into Hadoop's classes, before anything else. Without the AppMaster's marker in
     * the environment it does nothing at all, and it never throws.
     *
     * @param attempt the task attempt's id
     */
    public static void install(String attempt) {
        appMaster = System.getenv(CloneProtocol.ADDRESS);
        if (appMaster == null) {
            return;
        }
        ownJob = TaskAttemptID.forName(attempt).getJobID();
        Optional<String> obstacle = hook(attempt.contains("_r_"));
        if (obstacle.isEmpty()) {
            Core.offer();
        } else {
            appMaster = null;
            LoggerFactory.getLogger(TaskHooks.class)
                    .warn("{} can't be cloned, and runs as stock's: {}", attempt, obstacle.get());
        }
    }

    private static Optional<String> hook(boolean reduce) {
        try {
            return new HookedClasses(TaskHooks.class.getClassLoader()).load(reduce);
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            return Optional.of(e.toString());
        }
    }

    /** An {@code ipc.Client} was made. */
    public static void clientMade(Object client) {
        CLIENTS.add(client);
    }

    /** An RPC is about to leave. */
    public static void callBegins() {
        GATE.enter();
    }

    /** It has ended, in one way or another. */
    public static void callEnds() {
        GATE.leave();
    }

    /** A {@code DFSInputStream} was opened. */
    public static void streamOpened(Object stream) {
        STREAMS.add(stream);
    }

    /**
     * A {@code DFSClient} was made. What its name is made of may be the same in a clone and its
     * original, with all that they draw by chance; and leases belong to names.
     */
    public static void hdfsClientMade(Object client) {
        HDFS_CLIENTS.add(client);
        String suffix = clonesSuffix;
        if (suffix != null) {
            Hidden.HDFS_CLIENT_NAME.set(
                    client, ((DFSClient) client).getClientName() + "_" + suffix);
        }
    }

    /** In a clone: its HDFS clients yet to be made will have names with that, too. */
    static void isClone(String suffix) {
        clonesSuffix = suffix;
    }

    /** A path in HDFS is about to be changed. There since the first offer of a clone. */
    public static void pathChanges(String path) {
        ORIGINALS.changes(path);
    }

    /** Paths in HDFS are about to be changed. There since the first offer of a clone. */
    public static void pathChanges(String[] paths) {
        for (String path : paths) {
            ORIGINALS.changes(path);
        }
    }

    /** The task's thread is about to read a record. Only there while a clone is being prepared. */
    public static void recordBoundary() {
        BOUNDARY.pass();
    }

    /** A fetcher is about to ask a host for map outputs. */
    public static void fetchBegins() {
        FETCHES.enter();
    }

    /** It is done with that host for now. */
    public static void fetchEnds() {
        SHUFFLES.note(Thread.currentThread());
        FETCHES.leave();
    }

    /**
     * It is about to read the next output that the host sends.
     *
     * @throws IOException if it must ask for the rest anew
     */
    public static void outputBegins() throws IOException {
        FETCHES.next();
    }

    /** A reduce has merged, and is about to open its output. */
    public static void shuffleEnds() {
        FETCHES.pass();
    }

    /**
     * A map has filled a spill, or waits for one, in the midst of a record of its input: with
     * connections that it may just be using, so it isn't parked if they would be closed.
     */
    static void withinRecord() {
        if (RESOURCES.none()) {
            BOUNDARY.pass();
        }
    }

    /** {@code MapTask.run} begins. */
    public static void mapStarts(Object task, JobConf job) {
        starts(
                task,
                "map",
                () -> {
                    RunningTask map = new RunningMap(task, job, Thread.currentThread());
                    SpillCollector.atBoundaries(TaskHooks::withinRecord);
                    Hidden.OUTPUT_FILES.set(task, new AttemptOutputFiles(job));
                    return map;
                });
    }

    /** {@code ReduceTask.run} begins. */
    public static void reduceStarts(Object task, JobConf job) {
        starts(
                task,
                "reduce",
                () -> {
                    ReduceFiles files =
                            new ReduceFiles(job, System.getenv(Environment.CONTAINER_ID.name()));
                    RunningTask reduce =
                            new RunningReduce(task, job, Thread.currentThread(), files);
                    SpillPoller.beforeQuestions(FETCHES::pass);
                    LocalDirAllocator merges = files.forMerges();
                    Hidden.OUTPUT_FILES.set(task, files);
                    Hidden.DIRECTORIES.set(task, merges);
                    Hidden.MERGE_DIRECTORIES.set(null, merges);
                    return reduce;
                });
    }

    /**
     * @param takeOver first makes all that may fail, and changes the task only then
     */
    static void starts(Object task, String kind, Supplier<RunningTask> takeOver) {
        if (appMaster == null) {
            return;
        }
        try {
            // It may run a job of its own here, by LocalJobRunner, whose tasks are nobody's.
            if (((Task) task).getJobID().equals(ownJob)) {
                OrderLoop.start(appMaster, takeOver.get());
            }
        } catch (RuntimeException | LinkageError e) {
            // A Hadoop that isn't as it was taken for: its task runs as it would without us.
            LoggerFactory.getLogger(TaskHooks.class).warn("This {} can't be cloned", kind, e);
        }
    }

    /** What is in such a set now, for somebody who takes his time. */
    static List<Object> snapshot(Set<Object> weak) {
        synchronized (weak) {
            return new ArrayList<>(weak);
        }
    }

    private static Set<Object> weakSet() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    }
}
