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

import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;

/** How replicas on the client's own host are read, where stock doesn't go through TCP. */
enum LocalReads {
    /** By stock alone. */
    STOCK,
    /** By stock's reader in another thread, with a duplicate. */
    RACED;

    /**
     * Where {@link DuplicateReadKeys#SHORT_CIRCUIT} is set.
     *
     * @param obstacle see {@link #obstacle}
     */
    static LocalReads of(Optional<String> obstacle) {
        return obstacle.isEmpty() ? RACED : STOCK;
    }

    /**
     * Why files can't be read here, in words for a log.
     *
     * @param libraryFailure why Hadoop's native library isn't there; null if it is
     */
    static Optional<String> obstacle(ShortCircuitConf conf, String libraryFailure) {
        if (!conf.isShortCircuitLocalReads()) {
            return Optional.of(HdfsClientConfigKeys.Read.ShortCircuit.KEY + " isn't true");
        }
        return conf.isUseLegacyBlockReaderLocal() || libraryFailure == null
                ? Optional.empty()
                : Optional.of(
                        "Hadoop's native library can't be loaded, without which stock doesn't read"
                                + " files itself ("
                                + libraryFailure
                                + "); install libhadoop.so, or set "
                                + DuplicateReadKeys.SHORT_CIRCUIT
                                + " to false");
    }
}
