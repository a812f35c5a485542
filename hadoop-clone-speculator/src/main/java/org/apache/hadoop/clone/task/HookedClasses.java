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
    /** Each beside a class of its package, by which that can be entered. */
    private static final String[][] OF_ALL = {
        {"org.apache.hadoop.ipc.Client", "org.apache.hadoop.ipc.AlignmentContext"},
        {"org.apache.hadoop.hdfs.DFSInputStream", "org.apache.hadoop.hdfs.ReadStatistics"},
    };

    private static final String[][] OF_MAPS = {
        {"org.apache.hadoop.mapred.MapTask", "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
    };

    private static final String[][] OF_REDUCES = {
        {"org.apache.hadoop.mapred.ReduceTask", "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
        {
            "org.apache.hadoop.mapreduce.task.reduce.Fetcher",
            "org.apache.hadoop.mapreduce.task.reduce.MapHost"
        },
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
        String internal = name.replace('.', '/');
        try (InputStream in = loader.getResourceAsStream(internal + ".class")) {
            // A task may do without HDFS.
            byte[] hooked = in == null ? null : HookWriter.hooked(internal, in.readAllBytes());
            if (hooked != null) {
                Class<?> there = Class.forName(neighbour, false, loader);
                Lookup lookup = MethodHandles.privateLookupIn(there, MethodHandles.lookup());
                lookup.defineClass(hooked);
            }
        }
    }
}
