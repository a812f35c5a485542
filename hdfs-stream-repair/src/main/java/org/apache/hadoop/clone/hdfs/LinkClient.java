package org.apache.hadoop.clone.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.clone.hdfs.protocol.BlockMessage;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the plugin of DataNodes. */
final class LinkClient implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkClient.class);

    /** A DataNode that doesn't answer isn't waited for: its bytes can be copied from another. */
    private static final int CONNECT_MILLIS = 5000;

    private final DFSClient client;
    private final Configuration conf;
    private final Map<String, BlockLinkProtocol> plugins = new HashMap<>();
    private final Set<String> without = new HashSet<>();
    private final Map<String, Boolean> withPlugin = new HashMap<>();

    LinkClient(DFSClient client) {
        this.client = client;
        this.conf = new Configuration(OutputStreamDoor.configuration(client));
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        conf.setInt(
                CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY,
                0);
    }

    /**
     * @return false if this DataNode can't, for whatever reason; the log has it
     */
    boolean link(DatanodeInfo node, LocatedBlock source, LocatedBlock destination) {
        return call(
                node,
                source,
                plugin -> plugin.link(new BlockMessage(source), new BlockMessage(destination)));
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
                                plugin ->
                                        plugin.getProtocolVersion(
                                                RPC.getProtocolName(BlockLinkProtocol.class),
                                                BlockLinkProtocol.versionID)));
    }

    /** Has one DataNode send its replica to the block's locations. */
    boolean replicate(DatanodeInfo from, LocatedBlock block) {
        return call(from, block, plugin -> plugin.replicate(new BlockMessage(block)));
    }

    private interface Call {
        void on(BlockLinkProtocol plugin) throws IOException;
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
            call.on(plugin(node));
        }
    }

    private BlockLinkProtocol plugin(DatanodeInfo node) throws IOException {
        BlockLinkProtocol plugin = plugins.get(node.getDatanodeUuid());
        if (plugin == null) {
            plugin = connect(node, UserGroupInformation.getCurrentUser());
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
            call.on(plugin);
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
                BlockLinkProtocol.versionID,
                address,
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                client.getConf().getSocketTimeout());
    }

    @Override
    public void close() {
        plugins.values().forEach(RPC::stopProxy);
    }
}
