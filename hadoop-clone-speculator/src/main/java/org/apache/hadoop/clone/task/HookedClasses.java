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
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.KnownBuild;

/**
 * Loads the classes that {@link HookWriter} gives hooks to, before anybody else can: all of them,
 * or none if anything that a clone would ever need isn't as it is known. That doesn't need an
 * agent, which would cost the JVM time for each class that it loads.
 */
@InterfaceAudience.Private
public final class HookedClasses {
    /**
     * Loaded with hooks, by internal names; each beside a class by which its package is entered.
     */
    private static final String[][] OF_MAPS = {
        {HookWriter.CLIENT, "org.apache.hadoop.ipc.AlignmentContext"},
        {HookWriter.STREAM, "org.apache.hadoop.hdfs.ReadStatistics"},
        {HookWriter.HDFS_CLIENT, "org.apache.hadoop.hdfs.ReadStatistics"},
        {HookWriter.MAP_TASK, "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
    };

    private static final String[][] OF_REDUCES = {
        {HookWriter.CLIENT, "org.apache.hadoop.ipc.AlignmentContext"},
        {HookWriter.STREAM, "org.apache.hadoop.hdfs.ReadStatistics"},
        {HookWriter.HDFS_CLIENT, "org.apache.hadoop.hdfs.ReadStatistics"},
        {HookWriter.REDUCE_TASK, "org.apache.hadoop.mapred.TaskUmbilicalProtocol"},
        {HookWriter.FETCHER, "org.apache.hadoop.mapreduce.task.reduce.MapHost"},
    };

    /** Given hooks only when a clone is ordered. */
    private static final String[] LATER_OF_MAPS = {
        HookWriter.NAME_NODE, HookWriter.NEW_RECORDS, HookWriter.OLD_RECORDS
    };

    private static final String[] LATER_OF_REDUCES = {
        HookWriter.NAME_NODE, HookWriter.MERGED_RECORDS
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
     * @return why none is loaded; empty if all are
     * @throws LinkageError if one is there already
     */
    Optional<String> load(boolean reduce) throws IOException, ReflectiveOperationException {
        String[][] classes = reduce ? OF_REDUCES : OF_MAPS;
        String[] sites = sites(classes, reduce ? LATER_OF_REDUCES : LATER_OF_MAPS);
        KnownBuild build = KnownBuild.of(loader, sites);
        if (build == null) {
            Optional<String> obstacle = obstacle(loader, sites);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        byte[][] hooked = new byte[classes.length][];
        for (int i = 0; i < hooked.length; i++) {
            hooked[i] =
                    build == null
                            ? HookWriter.hooked(sites[i], original(loader, sites[i]))
                            : ours(sites[i], build.mark(sites[i]));
        }
        define(classes, hooked);
        return Optional.empty();
    }

    /** Why no task of a Hadoop would get hooks, as an AppMaster asks. Nothing of it is loaded. */
    public static Optional<String> obstacle(ClassLoader hadoop) throws IOException {
        String[] sites =
                Stream.of(names(), namesOfLater()).flatMap(Stream::of).toArray(String[]::new);
        return KnownBuild.of(hadoop, sites) == null ? obstacle(hadoop, sites) : Optional.empty();
    }

    /** In a build at which nobody has looked before. */
    private static Optional<String> obstacle(ClassLoader hadoop, String[] sites)
            throws IOException {
        Optional<String> missing = HadoopLine.obstacleToTasks(hadoop);
        if (missing.isPresent()) {
            return missing;
        }
        for (String site : sites) {
            try {
                HookWriter.hooked(site, original(hadoop, site));
            } catch (RuntimeException e) {
                return Optional.of(unhooked(site, e));
            }
        }
        return Optional.empty();
    }

    private static String unhooked(String name, RuntimeException why) {
        return "this Hadoop has in " + name.replace('/', '.') + " " + why.getMessage();
    }

    private static String[] sites(String[][] classes, String[] later) {
        String[] sites = new String[classes.length + later.length];
        for (int i = 0; i < classes.length; i++) {
            sites[i] = classes[i][0];
        }
        System.arraycopy(later, 0, sites, classes.length, later.length);
        return sites;
    }

    private void define(String[][] classes, byte[][] hooked) throws ReflectiveOperationException {
        MethodHandles.Lookup[] packages = new MethodHandles.Lookup[classes.length];
        for (int i = 0; i < classes.length; i++) {
            packages[i] =
                    MethodHandles.privateLookupIn(
                            Class.forName(classes[i][1], false, loader), MethodHandles.lookup());
        }
        for (int i = 0; i < classes.length; i++) {
            packages[i].defineClass(hooked[i]);
        }
    }

    /** Reading it from our jar is a fraction of what writing costs a JVM that has just begun. */
    private static byte[] ours(String name, String mark) throws IOException {
        try (InputStream in =
                HookedClasses.class.getClassLoader().getResourceAsStream(written(name, mark))) {
            if (in == null) {
                throw new IOException("our own jar lacks hooks");
            }
            return in.readAllBytes();
        }
    }

    /** Internal names of all that are loaded with hooks. */
    static String[] names() {
        return new String[] {
            HookWriter.CLIENT,
            HookWriter.STREAM,
            HookWriter.HDFS_CLIENT,
            HookWriter.MAP_TASK,
            HookWriter.REDUCE_TASK,
            HookWriter.FETCHER
        };
    }

    /** Internal names of those that get their hooks later. */
    static String[] namesOfLater() {
        return new String[] {
            HookWriter.NAME_NODE,
            HookWriter.NEW_RECORDS,
            HookWriter.OLD_RECORDS,
            HookWriter.MERGED_RECORDS
        };
    }

    /**
     * A class as Hadoop has it.
     *
     * @param name internal
     */
    static byte[] original(ClassLoader loader, String name) throws IOException {
        try (InputStream in = loader.getResourceAsStream(name.concat(".class"))) {
            if (in == null) {
                throw new IOException("there is no class ".concat(name));
            }
            return in.readAllBytes();
        }
    }

    /** As a known build's mark is made. */
    static String mark(byte[] original) {
        CRC32 checksum = new CRC32();
        checksum.update(original);
        return original.length + "-" + Long.toHexString(checksum.getValue());
    }

    /**
     * Where our jar has it with its hooks, if it is of a known build. Not named as a class is,
     * since shading would read it.
     */
    static String written(String name, String mark) {
        // Not by +, which links method handles when it runs for the first time.
        return WRITTEN.concat(name).concat("-").concat(mark);
    }
}
