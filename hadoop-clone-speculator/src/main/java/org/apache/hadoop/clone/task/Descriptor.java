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

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A descriptor that this process has open, and whether a clone could have it
 * (docs/internals/task-side.md, Connections and files).
 *
 * @param number of it
 * @param target what /proc shows: a path, or the kind and inode of what has none
 * @param isWritten whether it is a regular file, open for writing
 */
record Descriptor(int number, String target, boolean isWritten) {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

    /** Its contents travel with the memory, wherever it was. */
    private static final String DELETED = " (deleted)";

    /**
     * What is known of the process's sockets and files.
     *
     * @param tcp its sockets by inode
     * @param udp the same
     * @param peers addresses with which Hadoop has connections
     * @param unix inodes of all Unix sockets that are in use in its network namespace
     * @param pairs descriptors of Unix sockets with both ends in the process
     * @param own directories that a clone gets its own copy of
     */
    record Known(
            Map<Long, TcpSocket> tcp,
            Map<Long, UdpSocket> udp,
            Set<InetSocketAddress> peers,
            Set<Long> unix,
            Set<Integer> pairs,
            Collection<Path> own) {}

    /** Its inode, if it is a socket. */
    Optional<Long> socket() {
        Matcher socket = SOCKET.matcher(target);
        return socket.matches() ? Optional.of(Long.valueOf(socket.group(1))) : Optional.empty();
    }

    /** Why a clone can't have it: it is neither Hadoop's nor the task's own. */
    Optional<String> obstacle(Known known) {
        Optional<Long> socket = socket();
        if (socket.isPresent()) {
            return socketObstacle(socket.get(), known);
        }
        return isWritten && !target.endsWith(DELETED) && !isBelow(known.own())
                ? Optional.of("it writes to " + target + ", which isn't in its own directories")
                : Optional.empty();
    }

    private boolean isBelow(Collection<Path> directories) {
        Path file = Path.of(target);
        return directories.stream().anyMatch(file::startsWith);
    }

    private Optional<String> socketObstacle(long inode, Known known) {
        TcpSocket tcp = known.tcp().get(inode);
        if (tcp != null) {
            return tcp.obstacle(known.peers());
        }
        UdpSocket udp = known.udp().get(inode);
        if (udp != null) {
            return udp.obstacle();
        }
        return known.unix().contains(inode) && !known.pairs().contains(number)
                ? Optional.of(
                        "it has a Unix socket of its own open (descriptor "
                                + number
                                + "), as with dfs.client.domain.socket.data.traffic")
                : Optional.empty();
    }
}
