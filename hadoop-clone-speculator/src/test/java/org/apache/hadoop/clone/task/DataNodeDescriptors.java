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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * This process' descriptors of blocks' files of a cluster, and of connections to its DataNodes.
 * Others come and go: Hadoop keeps selectors for ten seconds, and connections to the NameNode; and
 * tests beside each other have clusters of their own.
 */
final class DataNodeDescriptors {
    /** Columns of /proc/net/tcp, proc_pid_net(5). */
    private static final int LOCAL_ADDRESS = 1;

    private static final int INODE = 9;

    private DataNodeDescriptors() {}

    /**
     * @param offset from a DataNode's port to that of its stage
     */
    static long count(MiniDFSCluster cluster, int offset) throws IOException {
        String blocks = Path.of(cluster.getDataDirectory()).toRealPath().toString();
        Set<String> wanted = sockets(cluster, offset);
        long count = 0;
        for (String what : OpenFiles.of(ProcessHandle.current().pid())) {
            boolean block = what.startsWith(blocks) && what.contains("/blk_");
            count += block || wanted.contains(what) ? 1 : 0;
        }
        return count;
    }

    /** As links of descriptors name them. */
    private static Set<String> sockets(MiniDFSCluster cluster, int offset) throws IOException {
        Set<String> ports = new HashSet<>();
        for (DataNode node : cluster.getDataNodes()) {
            int port = node.getXferAddress().getPort();
            ports.add("%04X".formatted(port));
            ports.add("%04X".formatted(port + offset));
        }
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] words = line.strip().split("\\s+");
                String address = words[LOCAL_ADDRESS];
                if (ports.contains(address.substring(address.indexOf(':') + 1))) {
                    sockets.add("socket:[" + words[INODE] + "]");
                }
            }
        }
        return sockets;
    }
}
