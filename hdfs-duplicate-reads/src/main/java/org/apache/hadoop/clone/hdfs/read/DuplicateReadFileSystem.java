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
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.InputStreamDoor;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For {@code fs.hdfs.impl}: HDFS, of which reads that take long are duplicated at another replica.
 * All else is stock's, and so is everything where duplicates can't be had; the log says why.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class DuplicateReadFileSystem extends InputStreamDoor.System {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateReadFileSystem.class);

    /** What this Hadoop hasn't; it is the same as long as the JVM runs. */
    private static final class Unknown {
        static final Optional<String> OBSTACLE =
                ClientSeam.obstacle(DuplicateReadFileSystem.class.getClassLoader());

        private Unknown() {}
    }

    @Override
    protected DFSClient newClient(URI uri, Configuration conf, FileSystem.Statistics statistics)
            throws IOException {
        Optional<ReadSettings> settings = settings(conf);
        return settings.isPresent()
                ? new DuplicateReadClient(uri, conf, statistics, settings.get())
                : new DFSClient(uri, conf, statistics);
    }

    /** Empty if reads are stock's; of what isn't as it was asked for, the log has a line. */
    static Optional<ReadSettings> settings(Configuration conf) {
        Optional<ReadSettings> settings;
        Optional<String> obstacle;
        try {
            settings = ReadSettings.of(conf);
            obstacle = settings.isPresent() ? obstacle(conf) : Optional.empty();
        } catch (IllegalArgumentException e) {
            settings = Optional.empty();
            obstacle = Optional.of(e.getMessage());
        }
        if (obstacle.isPresent()) {
            LOG.warn("No reads are duplicated: {}", obstacle.get());
            return Optional.empty();
        }
        return settings;
    }

    private static Optional<String> obstacle(Configuration conf) {
        int hedging =
                conf.getInt(
                        HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY,
                        HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_DEFAULT);
        return hedging > 0
                ? Optional.of(
                        "stock's hedged reads are on; set "
                                + HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY
                                + " to 0, or "
                                + DuplicateReadKeys.POLICY
                                + " to off")
                : Unknown.OBSTACLE;
    }
}
