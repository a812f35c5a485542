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
package org.apache.hadoop.clone.hdfs.read;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.KnownBuild;
import org.apache.hadoop.clone.seam.Shape;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients need of Hadoop's inside. */
final class ClientSeam {
    /** Of each jar that it is in; the first tells builds apart. */
    private static final String[] SITES = {
        "org/apache/hadoop/hdfs/DFSInputStream", "org/apache/hadoop/fs/FileSystem"
    };

    private static final Logger LOG = LoggerFactory.getLogger(ClientSeam.class);

    private ClientSeam() {}

    static Shape shape() throws IOException {
        return Shape.of("reads-client");
    }

    static String[] sites() {
        return SITES.clone();
    }

    /**
     * What a Hadoop hasn't, in words for a log.
     *
     * @param hadoop of its classes; those of a known build aren't loaded for it, since a task's
     *     process would take as long for that as for its first read
     */
    static Optional<String> obstacle(ClassLoader hadoop) {
        try {
            return isKnown(hadoop)
                    ? Optional.empty()
                    : HadoopLine.obstacle(VersionInfo.getVersion(), shape(), hadoop);
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Classes may come from what is no file with a jar's directory; they are looked at then. */
    private static boolean isKnown(ClassLoader hadoop) {
        try {
            return KnownBuild.of(hadoop, SITES) != null;
        } catch (IOException | RuntimeException e) {
            LOG.debug("It can't be told which build of Hadoop this is", e);
            return false;
        }
    }
}
