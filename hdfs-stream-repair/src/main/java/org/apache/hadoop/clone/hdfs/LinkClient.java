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

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkMessages;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.internal.ShadedProtobufHelper;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Empty;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the plugin of DataNodes. */
final class LinkClient implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkClient.class);

    /** A DataNode that doesn't answer isn't waited for: its bytes can be copied from another. */
    private static final int CONNECT_MILLIS = 5000;

    /** A link takes milliseconds, and a sync to disk not much more; data may take a minute. */
    private static final int CALL_MILLIS = 10_000;

    private final DFSClient client;
    private final Configuration conf;
    private final UserGroupInformation user;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(new Daemon.DaemonFactory());
    private final Map<String, BlockLinkProtocol> plugins = new ConcurrentHashMap<>();
    private final Set<String> without = ConcurrentHashMap.newKeySet();
    private final Map<String, Boolean> withPlugin = new HashMap<>();

    LinkClient(DFSClient client) throws IOException {
        this.client = client;
        user = UserGroupInformation.getCurrentUser();
        this.conf = new Configuration(OutputStreamDoor.configuration(client));
        RPC.setProtocolEngine(conf, BlockLinkProtocol.class, ProtobufRpcEngine2.class);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        conf.setInt(
                CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY,
                0);
    }

    /**
     * On all DataNodes that have the block, at the same time.
     *
     * @param sync as for the plugin
     * @return for each of its locations whether it is linked there; the log has why not
     */
    List<Boolean> link(LocatedBlock source, LocatedBlock destination, boolean sync)
            throws InterruptedIOException {
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (DatanodeInfo node : source.getLocations()) {
            calls.add(() -> link(node, source, destination, sync));
        }
        List<Boolean> linked = new ArrayList<>();
        try {
            for (Future<Boolean> one : threads.invokeAll(calls)) {
                linked.add(one.get());
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while blocks were linked");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return linked;
    }

    private boolean link(
            DatanodeInfo node, LocatedBlock source, LocatedBlock destination, boolean sync) {
        return call(
                node,
                source,
                plugin -> plugin.link(null, BlockLinkMessages.link(source, destination, sync)));
    }

    /**
     * Whether a DataNode that has a replica of it on disk could link it, as far as can be asked.
     */
    boolean canLink(LocatedBlock block) {
        StorageType[] storages = block.getStorageTypes();
        DatanodeInfo[] nodes = block.getLocations();
        for (int i = 0; i < nodes.length; i++) {
            if (!storages[i].isRAM()
                    && storages[i] != StorageType.PROVIDED
                    && hasPlugin(nodes[i], block)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasPlugin(DatanodeInfo node, LocatedBlock authority) {
        return withPlugin.computeIfAbsent(
                node.getDatanodeUuid(),
                uuid ->
                        call(
                                node,
                                authority,
                                plugin -> plugin.probe(null, Empty.getDefaultInstance())));
    }

    /** Has one DataNode send its replica to the block's locations. */
    boolean replicate(DatanodeInfo from, LocatedBlock block) {
        return call(
                from, block, plugin -> plugin.replicate(null, BlockLinkMessages.replicate(block)));
    }

    private interface Call {
        Empty on(BlockLinkProtocol plugin) throws ServiceException;
    }

    private boolean call(DatanodeInfo node, LocatedBlock authority, Call call) {
        if (without.contains(node.getDatanodeUuid())) {
            return false;
        }
        try {
            callTwice(node, authority, call);
            return true;
        } catch (RemoteException e) {
            LOG.info("{} can't be linked on {}: {}", authority.getBlock(), node, e.getMessage());
            return false;
        } catch (IOException e) {
            without.add(node.getDatanodeUuid());
            LOG.info("{} doesn't answer, and isn't asked again: {}", node, e.getMessage());
            return false;
        }
    }

    /**
     * Again if the connection breaks: Hadoop may have kept one from before the DataNode's last
     * start. What was linked the first time isn't linked twice.
     */
    private void callTwice(DatanodeInfo node, LocatedBlock authority, Call call)
            throws IOException {
        try {
            callOnce(node, authority, call);
        } catch (RemoteException | ConnectException | SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            LOG.debug("Calling {} again", node, e);
            callOnce(node, authority, call);
        }
    }

    private void callOnce(DatanodeInfo node, LocatedBlock authority, Call call) throws IOException {
        if (UserGroupInformation.isSecurityEnabled()) {
            callWithToken(node, authority, call);
        } else {
            BlockLinkProtocol plugin = plugin(node);
            ShadedProtobufHelper.ipc(() -> call.on(plugin));
        }
    }

    private BlockLinkProtocol plugin(DatanodeInfo node) throws IOException {
        BlockLinkProtocol plugin = plugins.get(node.getDatanodeUuid());
        if (plugin == null) {
            plugin = connect(node, user);
            plugins.put(node.getDatanodeUuid(), plugin);
        }
        return plugin;
    }

    /** A connection is authenticated by one block's token, as in HDFS's own client. */
    private void callWithToken(DatanodeInfo node, LocatedBlock authority, Call call)
            throws IOException {
        UserGroupInformation holder =
                UserGroupInformation.createRemoteUser(
                        authority.getBlock().getLocalBlock().toString());
        holder.addToken(authority.getBlockToken());
        BlockLinkProtocol plugin = connect(node, holder);
        try {
            ShadedProtobufHelper.ipc(() -> call.on(plugin));
        } finally {
            RPC.stopProxy(plugin);
        }
    }

    private BlockLinkProtocol connect(DatanodeInfo node, UserGroupInformation user)
            throws IOException {
        InetSocketAddress address =
                NetUtils.createSocketAddr(
                        node.getIpcAddr(client.getConf().isConnectToDnViaHostname()));
        return RPC.getProxy(
                BlockLinkProtocol.class,
                BlockLinkProtocol.VERSION,
                address,
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                CALL_MILLIS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        plugins.values().forEach(RPC::stopProxy);
    }
}
