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

import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.clone.seam.HiddenField;
import org.apache.hadoop.clone.seam.HiddenMethod;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.ClientContext;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapred.TaskAttemptContext;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.net.unix.DomainSocket;
import org.apache.hadoop.thirdparty.com.google.common.collect.Multimap;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;

/** All that a task reaches of what Hadoop keeps to itself. */
final class Hidden {
    private static final String TASK = "org/apache/hadoop/mapred/Task";
    private static final String CONFIGURATION = "org/apache/hadoop/conf/Configuration";

    // of a task
    static final HiddenField<TaskStatus> STATUS =
            HiddenField.of(TASK, "taskStatus", "Lorg/apache/hadoop/mapred/TaskStatus;");
    static final HiddenField<Counters> COUNTERS =
            HiddenField.of(TASK, "counters", "Lorg/apache/hadoop/mapred/Counters;");
    static final HiddenField<OutputCommitter> COMMITTER =
            HiddenField.of(TASK, "committer", "Lorg/apache/hadoop/mapreduce/OutputCommitter;");
    static final HiddenField<TaskAttemptContext> CONTEXT =
            HiddenField.of(TASK, "taskContext", "Lorg/apache/hadoop/mapred/TaskAttemptContext;");
    static final HiddenField<MapOutputFile> OUTPUT_FILES =
            HiddenField.of(TASK, "mapOutputFile", "Lorg/apache/hadoop/mapred/MapOutputFile;");
    static final HiddenField<LocalDirAllocator> DIRECTORIES =
            HiddenField.of(TASK, "lDirAlloc", "Lorg/apache/hadoop/fs/LocalDirAllocator;");
    static final HiddenField<ResourceCalculatorProcessTree> PROCESSES =
            HiddenField.of(
                    TASK, "pTree", "Lorg/apache/hadoop/yarn/util/ResourceCalculatorProcessTree;");

    // of its merges and spills
    static final HiddenField<LocalDirAllocator> MERGE_DIRECTORIES =
            HiddenField.of(
                    "org/apache/hadoop/mapred/Merger",
                    "lDirAlloc",
                    "Lorg/apache/hadoop/fs/LocalDirAllocator;");
    static final HiddenField<MapOutputBuffer<?, ?>> SPILLED_BUFFER =
            HiddenField.of(
                    "org/apache/hadoop/mapred/MapTask$MapOutputBuffer$SpillThread",
                    "this$0",
                    "Lorg/apache/hadoop/mapred/MapTask$MapOutputBuffer;");
    static final HiddenField<Boolean> IS_SPILLING =
            HiddenField.of(
                    "org/apache/hadoop/mapred/MapTask$MapOutputBuffer", "spillInProgress", "Z");

    // of RPCs
    static final HiddenField<byte[]> CLIENT_ID =
            HiddenField.of("org/apache/hadoop/ipc/Client", "clientId", "[B");
    static final HiddenField<Map<?, ?>> CONNECTIONS =
            HiddenField.of(
                    "org/apache/hadoop/ipc/Client",
                    "connections",
                    "Ljava/util/concurrent/ConcurrentMap;");
    static final HiddenMethod MARK_CLOSED =
            HiddenMethod.of(
                    "org/apache/hadoop/ipc/Client$Connection",
                    "markClosed",
                    "(Ljava/io/IOException;)V");
    static final HiddenField<InetSocketAddress> SERVER =
            HiddenField.of(
                    "org/apache/hadoop/ipc/Client$Connection",
                    "server",
                    "Ljava/net/InetSocketAddress;");
    static final HiddenField<String> CALLER =
            HiddenField.of("org/apache/hadoop/ipc/CallerContext", "context", "Ljava/lang/String;");

    // of HDFS's client
    static final HiddenField<LocatedBlocks> READ_BLOCKS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/DFSInputStream",
                    "locatedBlocks",
                    "Lorg/apache/hadoop/hdfs/protocol/LocatedBlocks;");
    static final HiddenField<Map<?, ClientContext>> CLIENT_CONTEXTS =
            HiddenField.of("org/apache/hadoop/hdfs/ClientContext", "CACHES", "Ljava/util/HashMap;");
    static final HiddenField<Multimap<?, ?>> CACHED_PEERS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/PeerCache",
                    "multimap",
                    "Lorg/apache/hadoop/thirdparty/com/google/common/collect/LinkedListMultimap;");
    static final HiddenField<DatanodeID> CACHED_NODE =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/PeerCache$Key",
                    "dnID",
                    "Lorg/apache/hadoop/hdfs/protocol/DatanodeID;");
    static final HiddenField<Peer> CACHED_PEER =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/PeerCache$Value",
                    "peer",
                    "Lorg/apache/hadoop/hdfs/net/Peer;");

    // of short-circuit reads
    static final HiddenField<Boolean> READS_LOCALLY =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/client/impl/DfsClientConf$ShortCircuitConf",
                    "shortCircuitLocalReads",
                    "Z");
    static final HiddenField<Map<?, ?>> LOCAL_ADDRESSES =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/DFSUtilClient", "localAddrMap", "Ljava/util/Map;");
    static final HiddenField<BlockReader> BLOCK_READER =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/DFSInputStream",
                    "blockReader",
                    "Lorg/apache/hadoop/hdfs/BlockReader;");
    static final HiddenField<ShortCircuitReplica> REPLICA =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/client/impl/BlockReaderLocal",
                    "replica",
                    "Lorg/apache/hadoop/hdfs/shortcircuit/ShortCircuitReplica;");
    static final HiddenField<Object> UNCOPIED_READS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/DFSInputStream",
                    "extendedReadBuffers",
                    "Lorg/apache/hadoop/util/IdentityHashStore;");
    static final HiddenField<ShortCircuitCache[]> SHORT_CIRCUIT_CACHES =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/ClientContext",
                    "shortCircuitCache",
                    "[Lorg/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache;");
    static final HiddenField<ReentrantLock> REPLICAS_LOCK =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache",
                    "lock",
                    "Ljava/util/concurrent/locks/ReentrantLock;");
    static final HiddenField<Integer> MOST_REPLICAS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache", "maxTotalSize", "I");
    static final HiddenMethod TRIM_REPLICAS =
            HiddenMethod.of(
                    "org/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache",
                    "trimEvictionMaps",
                    "()V");
    static final HiddenField<ScheduledThreadPoolExecutor> RELEASER =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache",
                    "releaserExecutor",
                    "Ljava/util/concurrent/ScheduledThreadPoolExecutor;");
    static final HiddenField<Map<String, DomainSocket>> RELEASE_SOCKETS =
            HiddenField.of(
                    "org/apache/hadoop/hdfs/shortcircuit/ShortCircuitCache",
                    "pathToDomainSocket",
                    "Ljava/util/Map;");
    static final HiddenField<DomainSocket[]> OWN_SOCKETS =
            HiddenField.of(
                    "org/apache/hadoop/net/unix/DomainSocketWatcher",
                    "notificationSockets",
                    "[Lorg/apache/hadoop/net/unix/DomainSocket;");
    static final HiddenField<Integer> SOCKET_DESCRIPTOR =
            HiddenField.of("org/apache/hadoop/net/unix/DomainSocket", "fd", "I");

    // of fetchers
    static final HiddenField<HttpURLConnection> FETCHED_FROM =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/task/reduce/Fetcher",
                    "connection",
                    "Ljava/net/HttpURLConnection;");

    // of configurations
    static final HiddenField<Map<Configuration, ?>> CONFIGURATIONS =
            HiddenField.of(CONFIGURATION, "REGISTRY", "Ljava/util/WeakHashMap;");
    static final HiddenField<Properties> PROPERTIES =
            HiddenField.of(CONFIGURATION, "properties", "Ljava/util/Properties;");
    static final HiddenField<Properties> SET_PROPERTIES =
            HiddenField.of(CONFIGURATION, "overlay", "Ljava/util/Properties;");

    // of file systems
    static final HiddenField<Object> FILE_SYSTEM_CACHE =
            HiddenField.of(
                    "org/apache/hadoop/fs/FileSystem",
                    "CACHE",
                    "Lorg/apache/hadoop/fs/FileSystem$Cache;");
    static final HiddenField<Map<?, FileSystem>> CACHED_FILE_SYSTEMS =
            HiddenField.of("org/apache/hadoop/fs/FileSystem$Cache", "map", "Ljava/util/Map;");
    static final HiddenField<Object> VIEW_CACHE =
            HiddenField.of(
                    "org/apache/hadoop/fs/viewfs/ViewFileSystem",
                    "cache",
                    "Lorg/apache/hadoop/fs/viewfs/ViewFileSystem$InnerCache;");
    static final HiddenField<Map<?, FileSystem>> VIEWED_FILE_SYSTEMS =
            HiddenField.of(
                    "org/apache/hadoop/fs/viewfs/ViewFileSystem$InnerCache",
                    "map",
                    "Ljava/util/Map;|Ljava/util/concurrent/ConcurrentMap;");
    static final HiddenField<Set<Path>> DELETIONS =
            HiddenField.of("org/apache/hadoop/fs/FileSystem", "deleteOnExit", "Ljava/util/Set;");
    static final HiddenField<Map<FileContext, Set<Path>>> CONTEXTS_DELETIONS =
            HiddenField.of("org/apache/hadoop/fs/FileContext", "DELETE_ON_EXIT", "Ljava/util/Map;");
    static final HiddenField<String> HDFS_CLIENT_NAME =
            HiddenField.of("org/apache/hadoop/hdfs/DFSClient", "clientName", "Ljava/lang/String;");
    static final HiddenField<URI> PATH_URI =
            HiddenField.of("org/apache/hadoop/fs/Path", "uri", "Ljava/net/URI;");

    // of committers
    static final HiddenField<Object> WRAPPED_COMMITTER =
            HiddenField.of(
                    "org/apache/hadoop/mapred/FileOutputCommitter",
                    "wrapped",
                    "Lorg/apache/hadoop/mapreduce/lib/output/FileOutputCommitter;");
    static final HiddenField<Object> MANIFEST_CONFIG =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/lib/output/committer/manifest/ManifestCommitter",
                    "baseConfig",
                    "Lorg/apache/hadoop/mapreduce/lib/output/committer/manifest/ManifestCommitterConfig;");
    static final HiddenField<String> MANIFEST_ATTEMPT =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/lib/output/committer/manifest/ManifestCommitterConfig",
                    "taskAttemptId",
                    "Ljava/lang/String;");
    static final HiddenField<String> MANIFEST_NAME =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/lib/output/committer/manifest/ManifestCommitterConfig",
                    "name",
                    "Ljava/lang/String;");

    private Hidden() {}
}
