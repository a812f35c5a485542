package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * Loads the classes that {@link HookWriter} gives hooks to, before anybody else can. That doesn't
 * need an agent, which would cost the JVM time for each class that it loads.
 */
final class HookedClasses {
    /** Internal names, each beside a class of its package, by which that can be entered. */
    private static final String[][] OF_ALL = {
        {HookWriter.CLIENT, "org.apache.hadoop.ipc.AlignmentContext"},
        {HookWriter.STREAM, "org.apache.hadoop.hdfs.ReadStatistics"},
    };

    private static final String[][] OF_MAPS = {
        {HookWriter.MAP_TASK, "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
    };

    private static final String[][] OF_REDUCES = {
        {HookWriter.REDUCE_TASK, "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
        {HookWriter.FETCHER, "org.apache.hadoop.mapreduce.task.reduce.MapHost"},
    };

    private final ClassLoader loader;

    /**
     * @param loader of Hadoop's classes
     */
    HookedClasses(ClassLoader loader) {
        this.loader = loader;
    }

    /**
     * @throws LinkageError if one is there already
     */
    void load(boolean reduce) throws IOException, ReflectiveOperationException {
        load(OF_ALL);
        load(reduce ? OF_REDUCES : OF_MAPS);
    }

    private void load(String[][] classes) throws IOException, ReflectiveOperationException {
        for (String[] names : classes) {
            load(names[0], names[1]);
        }
    }

    private void load(String name, String neighbour)
            throws IOException, ReflectiveOperationException {
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            // A task may do without HDFS.
            byte[] hooked = in == null ? null : HookWriter.hooked(name, in.readAllBytes());
            if (hooked != null) {
                Class<?> there = Class.forName(neighbour, false, loader);
                Lookup lookup = MethodHandles.privateLookupIn(there, MethodHandles.lookup());
                lookup.defineClass(hooked);
            }
        }
    }
}
