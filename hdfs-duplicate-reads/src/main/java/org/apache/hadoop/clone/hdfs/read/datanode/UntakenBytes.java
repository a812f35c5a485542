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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Connections whose other end doesn't take what it was sent, by the kernel's tables (proc(5)). What
 * sends a block to one of them waits for its client, and for no disk.
 */
final class UntakenBytes {
    /** More than is on the way of a stream that is taken: 1 ms of 4 Gbit/s. Buffers hold more. */
    static final long MUCH = 1 << 19;

    private static final List<Path> TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int QUEUES = 4;

    private final List<Path> tables;
    private final String port;

    /**
     * @param port this end's
     */
    UntakenBytes(int port) {
        this(TABLES, port);
    }

    UntakenBytes(List<Path> tables, int port) {
        this.tables = tables;
        this.port = ":%04X".formatted(port);
    }

    /** The other ends of connections that have {@link #MUCH}. */
    Set<InetSocketAddress> peers() throws IOException {
        Set<InetSocketAddress> peers = new HashSet<>();
        for (Path table : tables) {
            try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.contains(port)) {
                        addIfMuch(line.trim().split("\\s+"), peers);
                    }
                }
            } catch (NoSuchFileException e) {
                // Another system, or no such protocol.
            }
        }
        return peers;
    }

    private void addIfMuch(String[] fields, Set<InetSocketAddress> peers) throws IOException {
        if (fields[LOCAL].endsWith(port)
                && fields[STATE].equals(ESTABLISHED)
                && Long.parseLong(fields[QUEUES].split(":")[0], 16) >= MUCH) {
            peers.add(address(fields[REMOTE]));
        }
    }

    // Four bytes at a time, as a number of this processor's.
    private static InetSocketAddress address(String hex) throws IOException {
        int colon = hex.indexOf(':');
        ByteBuffer bytes = ByteBuffer.allocate(colon / 2).order(ByteOrder.nativeOrder());
        while (bytes.hasRemaining()) {
            int at = 2 * bytes.position();
            bytes.putInt(Integer.parseUnsignedInt(hex.substring(at, at + 8), 16));
        }
        return new InetSocketAddress(
                InetAddress.getByAddress(bytes.array()),
                Integer.parseInt(hex.substring(colon + 1), 16));
    }
}
