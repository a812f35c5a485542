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
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.OpenStreams;
import org.apache.hadoop.hdfs.ClientContext;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.shortcircuit.DfsClientShmManager;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.unix.DomainSocket;

/** With whom Hadoop's own classes talk in this process, and will talk again in a clone. */
final class HadoopPeers {
    private HadoopPeers() {}

    /** Addresses of RPC servers, DataNodes and shuffle services. */
    static Set<InetSocketAddress> tcp(JobConf job) {
        boolean byName =
                job.getBoolean(
                        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
        Set<InetSocketAddress> peers = new HashSet<>();
        servers().forEach(peers::add);
        dataNodes()
                .map(node -> NetUtils.createSocketAddr(node.getXferAddr(byName)))
                .forEach(peers::add);
        TaskHooks.SHUFFLES.addresses().forEach(peers::add);
        return peers;
    }

    private static Stream<InetSocketAddress> servers() {
        List<InetSocketAddress> servers = new ArrayList<>();
        for (Object client : TaskHooks.snapshot(TaskHooks.CLIENTS)) {
            Map<?, ?> connections = Hidden.CONNECTIONS.get(client);
            connections.values().forEach(one -> servers.add(Hidden.SERVER.get(one)));
        }
        return servers.stream();
    }

    /** Of the files that are open, and those with which connections are kept for the next. */
    private static Stream<? extends DatanodeID> dataNodes() {
        Stream<DatanodeID> read =
                TaskHooks.snapshot(TaskHooks.STREAMS).stream()
                        .map(Hidden.READ_BLOCKS::get)
                        .filter(Objects::nonNull)
                        .flatMap(blocks -> blocks.getLocatedBlocks().stream())
                        .flatMap(block -> Stream.of(block.getLocations()));
        return Stream.of(read, OpenStreams.dataNodes().stream(), cached()).flatMap(all -> all);
    }

    private static Stream<DatanodeID> cached() {
        return contexts().stream().flatMap(context -> cachedNodes(context.getPeerCache()).stream());
    }

    /** To which connections are kept for the next read. */
    static List<DatanodeID> cachedNodes(PeerCache cache) {
        synchronized (cache) {
            return Hidden.CACHED_PEERS.get(cache).keySet().stream()
                    .map(Hidden.CACHED_NODE::get)
                    .toList();
        }
    }

    /** These connections themselves. */
    static List<Peer> cached(PeerCache cache) {
        synchronized (cache) {
            return Hidden.CACHED_PEERS.get(cache).values().stream()
                    .map(Hidden.CACHED_PEER::get)
                    .toList();
        }
    }

    /** What HDFS's clients of this process have in common. */
    static List<ClientContext> contexts() {
        synchronized (ClientContext.class) {
            return List.copyOf(Hidden.CLIENT_CONTEXTS.get(null).values());
        }
    }

    /** Of blocks' files, all that these have. */
    static List<ShortCircuitCache> caches() {
        return contexts().stream()
                .flatMap(context -> Stream.of(Hidden.SHORT_CIRCUIT_CACHES.get(context)))
                .toList();
    }

    /**
     * Descriptors of Unix sockets by which HDFS's clients talk to themselves: each has a pair as
     * soon as there is Hadoop's native library, whatever it reads. And of those of {@link
     * LocalReads}, which end before a clone is made.
     */
    static Set<Integer> unix() throws IOException {
        Set<Integer> descriptors = LocalReads.sockets();
        for (ShortCircuitCache cache : caches()) {
            DfsClientShmManager manager = cache.getDfsClientShmManager();
            if (manager != null) {
                for (DomainSocket end : Hidden.OWN_SOCKETS.get(manager.getDomainSocketWatcher())) {
                    descriptors.add(Hidden.SOCKET_DESCRIPTOR.get(end));
                }
            }
        }
        return descriptors;
    }
}
