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
package org.apache.hadoop.clone.hdfs;

import java.util.Collection;
import java.util.Map;
import org.apache.hadoop.clone.seam.HiddenField;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.impl.LeaseRenewer;

/** All that is reached of what HDFS's client keeps to itself, beside its package's door. */
final class Hidden {
    private static final String STREAMER = "org/apache/hadoop/hdfs/DataStreamer";

    // of streams
    static final HiddenField<Boolean> WAS_FLUSHED = HiddenField.of(STREAMER, "isHflushed", "Z");
    static final HiddenField<Collection<?>> UNACKNOWLEDGED =
            HiddenField.of(STREAMER, "ackQueue", "Ljava/util/LinkedList;");
    static final HiddenField<Integer> BUFFERED =
            HiddenField.of("org/apache/hadoop/fs/FSOutputSummer", "count", "I");

    // of clients
    static final HiddenField<Map<String, DFSOutputStream>> OPEN_STREAMS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/DFSClient", "filesBeingWritten", "Ljava/util/Map;");
    static final HiddenField<String> CLIENT_NAME =
            HiddenField.of("org/apache/hadoop/hdfs/DFSClient", "clientName", "Ljava/lang/String;");

    // of leases
    static final HiddenField<Object> RENEWER_FACTORY =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/client/impl/LeaseRenewer$Factory",
                    "INSTANCE",
                    "Lorg/apache/hadoop/hdfs/client/impl/LeaseRenewer$Factory;");
    static final HiddenField<Map<?, LeaseRenewer>> RENEWERS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/client/impl/LeaseRenewer$Factory",
                    "renewers",
                    "Ljava/util/Map;");
    static final HiddenField<Collection<DFSClient>> CLIENTS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/client/impl/LeaseRenewer",
                    "dfsclients",
                    "Ljava/util/List;");

    private Hidden() {}
}
