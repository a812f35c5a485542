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
package org.apache.hadoop.clone.hdfs.protocol;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.thirdparty.protobuf.Empty;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Served by DataNodes that have the plugin, at their own IPC address: a client finds it by what the
 * NameNode tells it about the DataNode, and is authenticated as for HDFS's client-DataNode
 * protocol. By Hadoop's engine for protocol buffers, which all of HDFS's are served by: another
 * would have DataNodes read what they don't read otherwise.
 */
@InterfaceAudience.Private
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
@ProtocolInfo(
        protocolName = "org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol",
        protocolVersion = BlockLinkProtocol.VERSION)
public interface BlockLinkProtocol {
    long VERSION = 1;

    /**
     * Makes a finished replica of one block a finished replica of another block too, without a copy
     * of its bytes: both are hard links to the same files until one of them is appended to or
     * truncated.
     *
     * @param request {@link BlockLinkMessages#link}: the source with its exact length and a token
     *     to read it, and the destination with a token to write it. If it says so the new names are
     *     on disk when this returns, as the data of a file that is written with {@code
     *     CreateFlag.SYNC_BLOCK}; with {@code dfs.datanode.synconclose} they always are
     * @throws ServiceException if nothing was linked: the source isn't finished here with this
     *     length and generation stamp, the destination is already here, a token is missing, or the
     *     storage can't link
     */
    Empty link(RpcController unused, Message request) throws ServiceException;

    /**
     * Sends a finished replica to the block's locations, in the background: HDFS itself would begin
     * to do so in five to ten minutes.
     *
     * @param request {@link BlockLinkMessages#replicate}: the block with a token to copy it, as
     *     HDFS's own transfers need one
     */
    Empty replicate(RpcController unused, Message request) throws ServiceException;

    /** Does nothing, where it is served. */
    Empty probe(RpcController unused, Empty request) throws ServiceException;
}
