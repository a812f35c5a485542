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
package org.apache.hadoop.clone.seam;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.VersionInfo;

/**
 * The lines of Hadoop's releases whose inside is known. What looks the same in another may mean
 * something else there: docs/compatibility.md.
 */
@InterfaceAudience.Private
public final class HadoopLine {
    private static final List<String> KNOWN = List.of("3.4.", "3.5.");

    private HadoopLine() {}

    /** All that tasks need, their streams to HDFS included. */
    public static Shape shapeOfTasks() throws IOException {
        return Shape.of("task", "streams");
    }

    /** All that an AppMaster needs itself. */
    public static Shape shapeOfAppMasters() throws IOException {
        return Shape.of("app-master");
    }

    /** A class of each jar that tasks reach into, the first of which tells builds apart. */
    public static String[] jarsOfTasks() {
        return new String[] {
            "org/apache/hadoop/ipc/Client",
            "org/apache/hadoop/hdfs/DFSInputStream",
            "org/apache/hadoop/mapred/MapTask"
        };
    }

    /** The same of AppMasters. */
    public static String[] jarsOfAppMasters() {
        return new String[] {
            "org/apache/hadoop/mapreduce/v2/app/MRAppMaster",
            "org/apache/hadoop/mapreduce/v2/util/MRApps",
            "org/apache/hadoop/mapred/MapTask",
            "org/apache/hadoop/yarn/event/AsyncDispatcher",
            "org/apache/hadoop/yarn/api/records/ContainerId",
            "org/apache/hadoop/ipc/Client"
        };
    }

    /** Why nothing of ours runs in this task. */
    public static Optional<String> obstacleHere() {
        ClassLoader here = HadoopLine.class.getClassLoader();
        try {
            return KnownBuild.of(here, jarsOfTasks()) == null
                    ? obstacleToTasks(here)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }

    /**
     * Why tasks of the Hadoop that a loader would load run as stock's do. Loads nothing there: what
     * was loaded couldn't be given hooks.
     *
     * @throws IOException if our own jar isn't whole
     */
    public static Optional<String> obstacleToTasks(ClassLoader hadoop) throws IOException {
        try (URLClassLoader probe = new Probe(hadoop)) {
            return obstacle(VersionInfo.getVersion(), shapeOfTasks(), probe);
        }
    }

    /**
     * Why an AppMaster is stock's, whatever its tasks are.
     *
     * @throws IOException as {@link #obstacleToTasks}
     */
    public static Optional<String> obstacleToAppMasters(ClassLoader hadoop) throws IOException {
        return KnownBuild.of(hadoop, jarsOfAppMasters()) == null
                ? obstacle(VersionInfo.getVersion(), shapeOfAppMasters(), hadoop)
                : Optional.empty();
    }

    /** Why nothing of ours runs in this version. */
    public static Optional<String> obstacle(String version) {
        return KNOWN.stream().anyMatch(version::startsWith)
                ? Optional.empty()
                : Optional.of("this is Hadoop " + version + ", and 3.4 and 3.5 are known");
    }

    /**
     * Why nothing of ours runs in a Hadoop.
     *
     * @param hadoop of its classes
     */
    public static Optional<String> obstacle(String version, Shape needed, ClassLoader hadoop) {
        Optional<String> unknown = obstacle(version);
        return unknown.isPresent()
                ? unknown
                : needed.missing(hadoop).map(missing -> "this Hadoop has no " + missing);
    }

    /** Loads again, for a look, all that another loader finds. */
    private static final class Probe extends URLClassLoader {
        private final ClassLoader like;

        Probe(ClassLoader like) {
            super(new URL[0], ClassLoader.getPlatformClassLoader());
            this.like = like;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in =
                    like.getResourceAsStream(name.replace('.', '/').concat(".class"))) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
