package org.apache.hadoop.clone.task;

import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.clone.crac.Core;
import org.apache.hadoop.clone.shuffle.AttemptOutputFiles;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.LoggerFactory;

/**
 * What {@link HookWriter} makes Hadoop's classes call. Everything here must be cheap and must never
 * throw: it runs in the midst of a task that knows nothing of clones.
 */
public final class TaskHooks {
    static final Gate GATE = new Gate();
    static final RecordBoundary BOUNDARY = new RecordBoundary();
    static final UserResources RESOURCES = new UserResources(Core.getGlobalContext());
    static final Set<Object> CLIENTS = weakSet();
    static final Set<Object> STREAMS = weakSet();

    private static String appMaster;
    private static Instrumentation instrumentation;

    private TaskHooks() {}

    static void enable(String address, Instrumentation of) {
        appMaster = address;
        instrumentation = of;
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

    /** The map's thread is about to read a record. Only there while a clone is being prepared. */
    public static void recordBoundary() {
        BOUNDARY.pass();
    }

    /** {@code MapTask.run} begins. */
    public static void mapStarts(Object task, JobConf job) {
        try {
            Fields.set(task, "mapOutputFile", new AttemptOutputFiles(job));
        } catch (IllegalStateException e) {
            // A Hadoop that we don't know: its map runs as it would without us.
            LoggerFactory.getLogger(TaskHooks.class).warn("This map can't be cloned", e);
            return;
        }
        OrderLoop.start(
                appMaster, new RunningMap(task, job, Thread.currentThread(), instrumentation));
    }

    private static Set<Object> weakSet() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    }
}
