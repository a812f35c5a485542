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
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

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

    private static final String WRITTEN = "META-INF/clone-hooks/";

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
        byte[] original = original(loader, name);
        // A task may do without HDFS.
        byte[] hooked = original == null ? null : hooked(name, original);
        if (hooked != null) {
            Class<?> there = Class.forName(neighbour, false, loader);
            Lookup lookup = MethodHandles.privateLookupIn(there, MethodHandles.lookup());
            lookup.defineClass(hooked);
        }
    }

    /** Reading it from our jar is a fraction of what writing costs a JVM that has just begun. */
    private static byte[] hooked(String name, byte[] original) throws IOException {
        String written = written(name, original);
        try (InputStream in = HookedClasses.class.getClassLoader().getResourceAsStream(written)) {
            return in == null ? HookWriter.hooked(name, original) : in.readAllBytes();
        }
    }

    /** Internal names of all. */
    static List<String> names() {
        return Stream.of(OF_ALL, OF_MAPS, OF_REDUCES)
                .flatMap(Arrays::stream)
                .map(names -> names[0])
                .toList();
    }

    /**
     * A class as Hadoop has it.
     *
     * @param name internal
     * @return null if there is none
     */
    static byte[] original(ClassLoader loader, String name) throws IOException {
        try (InputStream in = loader.getResourceAsStream(name.concat(".class"))) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /**
     * Where our jar has it with its hooks, if it is of the Hadoop that we were built with: another
     * Hadoop's has other bytes, and gets its hooks in the task. Not named as a class is, since
     * shading would read it.
     */
    static String written(String name, byte[] original) {
        CRC32 checksum = new CRC32();
        checksum.update(original);
        // Not by +, which links method handles when it runs for the first time.
        return String.join(
                "-",
                WRITTEN.concat(name),
                Integer.toString(original.length),
                Long.toHexString(checksum.getValue()));
    }
}
