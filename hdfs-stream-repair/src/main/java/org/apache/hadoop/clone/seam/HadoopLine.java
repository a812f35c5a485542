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

    /** A class of each jar that tasks reach into. */
    private static final String[] JARS = {
        "org/apache/hadoop/ipc/Client",
        "org/apache/hadoop/hdfs/DFSInputStream",
        "org/apache/hadoop/mapred/MapTask"
    };

    private static final String TASK = "task";
    private static final String STREAMS = "streams";

    private HadoopLine() {}

    /** All that tasks need, their streams to HDFS included. */
    public static Shape shapeOfTasks() throws IOException {
        return Shape.of(TASK, STREAMS);
    }

    /**
     * Why tasks of the Hadoop that a loader would load run as stock's do. Loads nothing there: what
     * was loaded couldn't be given hooks.
     *
     * @return null if there is nothing
     */
    public static String obstacleToTasks(ClassLoader hadoop) throws IOException {
        try (URLClassLoader probe = new Probe(hadoop)) {
            return obstacle(VersionInfo.getVersion(), shapeOfTasks(), probe).orElse(null);
        }
    }

    /**
     * Why nothing of ours runs in this task.
     *
     * @return null if there is nothing
     * @throws IOException if our own jar isn't whole
     */
    public static String obstacleHere() throws IOException {
        ClassLoader here = HadoopLine.class.getClassLoader();
        return KnownBuild.of(here, JARS) == null ? obstacleToTasks(here) : null;
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
