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

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** With a NameNode and DataNodes that do as the test says. */
class LinkedFileTest {
    private final ClientProtocol nameNode = mock(ClientProtocol.class);
    private final DFSClient client = mock(DFSClient.class);
    private final LinkClient links = mock(LinkClient.class);

    @Test
    void aDataNodeThatSendsNoReplicaOnIsAskedForNoOther() throws IOException {
        LocatedBlock block = onNodes(1, 2);
        when(client.getNamenode()).thenReturn(nameNode);
        when(nameNode.addBlock(any(), any(), any(), any(), anyLong(), any(), any()))
                .thenReturn(block);
        when(nameNode.getAdditionalDatanode(
                        any(), anyLong(), any(), any(), any(), any(), anyInt(), any()))
                .thenReturn(onNodes(1, 3));
        when(links.link(any(), any(), anyBoolean())).thenReturn(List.of(true, false));
        when(links.replicate(any(), any())).thenReturn(false);
        HdfsFileStatus status = new HdfsFileStatus.Builder().replication(2).build();
        LinkedFile file = new LinkedFile(client, links, "/file", status);

        assertThat(file.add(block, false)).isTrue();
        assertThat(file.add(block, false)).isTrue();
        verify(links, times(1)).replicate(any(), any());
        verify(nameNode, times(1))
                .getAdditionalDatanode(
                        any(), anyLong(), any(), any(), any(), any(), anyInt(), any());
    }

    private static LocatedBlock onNodes(int first, int second) {
        return new LocatedBlock(
                new ExtendedBlock("pool", 1, 1000, 1),
                new DatanodeInfo[] {node(first), node(second)},
                new String[] {"s" + first, "s" + second},
                new StorageType[] {StorageType.DISK, StorageType.DISK});
    }

    private static DatanodeInfo node(int number) {
        return new DatanodeInfoBuilder()
                .setDatanodeUuid("node-" + number)
                .setIpAddr("127.0.0.1")
                .setXferPort(number)
                .build();
    }
}
