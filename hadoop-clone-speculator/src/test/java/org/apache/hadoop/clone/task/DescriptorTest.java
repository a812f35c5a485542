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

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a process's open descriptors a clone can have, with lines as the kernel writes them. */
class DescriptorTest {
    /** To 10.0.0.7:8020, to 10.0.0.9:9866 by IPv6, at 0.0.0.0:9010, and connected to nobody. */
    private static final String TABLE =
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0500000A:9D52 0700000A:1F54 01 00000000:00000000 02:000ABC 00000000  1000        0 101 2 0000000000000000 20 4 30 10 -1
               1: 0000000000000000FFFF00000500000A:9D54 0000000000000000FFFF00000900000A:268A 08 00000000:00000000 00:00000000 00000000  1000        0 102 1 0000000000000000 20 4 30 10 -1
               2: 00000000:2332 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 103 1 0000000000000000 100 0 0 10 0
               3: 00000000:0000 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 104 1 0000000000000000 100 0 0 10 0
            """;

    /** At any address, at 10.0.0.5, the same by IPv6, and at 127.0.0.1. */
    private static final String UDP_TABLE =
            """
               sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
              123: 00000000:8C3E 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 301 2 0000000000000000 0
              124: 0500000A:8C3F 0700000A:1FBD 01 00000000:00000000 00:00000000 00000000  1000        0 302 2 0000000000000000 0
              125: 0000000000000000FFFF00000500000A:8C40 0000000000000000FFFF00000700000A:1FBD 01 00000000:00000000 00:00000000 00000000  1000        0 303 2 0000000000000000 0
              126: 0100007F:8C41 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 304 2 0000000000000000 0
            """;

    private static final Map<Long, UdpSocket> UDP_SOCKETS =
            UDP_TABLE
                    .lines()
                    .map(UdpSocket::parse)
                    .flatMap(Optional::stream)
                    .collect(Collectors.toMap(UdpSocket::inode, socket -> socket));

    private static final Map<Long, TcpSocket> SOCKETS =
            TABLE.lines()
                    .map(TcpSocket::parse)
                    .flatMap(Optional::stream)
                    .collect(Collectors.toMap(TcpSocket::inode, socket -> socket));

    private static Descriptor.Known known(String... peers) {
        return new Descriptor.Known(
                SOCKETS,
                UDP_SOCKETS,
                Stream.of(peers)
                        .map(peer -> peer.split(":"))
                        .map(peer -> new InetSocketAddress(peer[0], Integer.parseInt(peer[1])))
                        .collect(Collectors.toSet()),
                Set.of(201L, 202L),
                Set.of(7),
                List.of(Path.of("/data/container_1"), Path.of("/logs/container_1")));
    }

    @ParameterizedTest
    @CsvSource({
        "101, it has a connection of its own to 10.0.0.7:8020",
        "102, it has a connection of its own to 10.0.0.9:9866",
        "103, it listens on 0.0.0.0:9010",
        "302, 'it has a UDP socket at 10.0.0.5:35903, an address that another host hasn''t'",
        "303, 'it has a UDP socket at 10.0.0.5:35904, an address that another host hasn''t'",
        "201, 'it has a Unix socket of its own open (descriptor 3), as with dfs.client.domain.socket.data.traffic'"
    })
    void ofASocketThatIsNotHadoops(long inode, String why) {
        Descriptor socket = new Descriptor(3, "socket:[" + inode + "]", false);
        assertThat(socket.obstacle(known())).contains(why);
    }

    @Test
    void withHadoopsOwnThereIsAClone() {
        Descriptor.Known known = known("10.0.0.7:8020", "10.0.0.9:9866");
        assertThat(
                        Stream.of(
                                new Descriptor(3, "socket:[101]", false),
                                new Descriptor(4, "socket:[102]", false),
                                new Descriptor(5, "socket:[104]", false),
                                new Descriptor(7, "socket:[202]", false),
                                new Descriptor(8, "socket:[301]", false),
                                new Descriptor(9, "socket:[304]", false),
                                // Of a kind that is left to the tool.
                                new Descriptor(10, "socket:[401]", false)))
                .allSatisfy(socket -> assertThat(socket.obstacle(known)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "000000001513877d: 00000003 00000000 00000000 0001 03 5149787, true",
        "000000001fa0698a: 00000003 00000000 00000000 0001 03 5149787 /run/a socket, true",
        "00000000b7141704: 00000002 00000000 00010000 0001 01 5149787 /run/socket, true",
        "00000000d74ee5da: 00000002 00000000 00000000 0001 03 5149787, false"
    })
    void aUnixSocketIsInUseIfItListensOrHasAnotherEnd(String line, boolean isInUse) {
        assertThat(UnixSocket.parse(line)).contains(new UnixSocket(5149787, isInUse));
    }

    @ParameterizedTest
    @CsvSource({
        "/data/container_1/part, true, false",
        "/logs/container_1/gc.log, true, false",
        "/data/container_10/part, true, true",
        "/mnt/shared/part, true, true",
        "/mnt/shared/part, false, false",
        "/tmp/unlinked (deleted), true, false",
        "anon_inode:[eventpoll], false, false",
        "pipe:[77], false, false"
    })
    void ofAFileThatAnotherHostHasNot(String target, boolean isWritten, boolean refused) {
        assertThat(new Descriptor(3, target, isWritten).obstacle(known()).isPresent())
                .isEqualTo(refused);
    }
}
