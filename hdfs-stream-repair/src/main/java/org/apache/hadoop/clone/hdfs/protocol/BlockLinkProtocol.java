package org.apache.hadoop.clone.hdfs.protocol;

import java.io.IOException;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * Served by DataNodes that have the plugin, at their own IPC address: a client finds it by what the
 * NameNode tells it about the DataNode, and is authenticated as for HDFS's client-DataNode
 * protocol.
 */
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
@ProtocolInfo(
        protocolName = "org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol",
        protocolVersion = BlockLinkProtocol.versionID)
public interface BlockLinkProtocol extends VersionedProtocol {
    long versionID = 1;

    /**
     * Makes a finished replica of one block a finished replica of another block too, without a copy
     * of its bytes: both are hard links to the same files until one of them is appended to or
     * truncated.
     *
     * @param source with its exact length, and a token to read it
     * @param destination with a token to write it
     * @param sync the new names are on disk when this returns, as the data of a file that is
     *     written with {@code CreateFlag.SYNC_BLOCK}; with {@code dfs.datanode.synconclose} they
     *     always are
     * @throws IOException if nothing was linked: the source isn't finished here with this length
     *     and generation stamp, the destination is already here, a token is missing, or the storage
     *     can't link
     */
    void link(BlockMessage source, BlockMessage destination, boolean sync) throws IOException;

    /**
     * Sends a finished replica to the block's locations, in the background: HDFS itself would begin
     * to do so in five to ten minutes.
     *
     * @param block with a token to copy it, as HDFS's own transfers need one
     */
    void replicate(BlockMessage block) throws IOException;
}
