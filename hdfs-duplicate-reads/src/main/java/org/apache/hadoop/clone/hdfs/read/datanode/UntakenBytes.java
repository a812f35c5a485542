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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Connections whose other end doesn't take what it was sent, by the kernel's tables (proc(5)). A
 * reader at one of them waits for its client, and for no disk.
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

    /**
     * How many connections have {@link #MUCH}.
     *
     * @param peers ports at the other end that count: a block may have been sent whole, and what
     *     isn't taken yet is in the kernel only
     */
    int connections(Set<Integer> peers) throws IOException {
        int count = 0;
        for (Path table : tables) {
            try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    count += line.contains(port) && hasMuch(line, peers) ? 1 : 0;
                }
            } catch (NoSuchFileException e) {
                // Another system, or no such protocol.
            }
        }
        return count;
    }

    private boolean hasMuch(String line, Set<Integer> peers) {
        String[] fields = line.trim().split("\\s+");
        return fields[LOCAL].endsWith(port)
                && fields[STATE].equals(ESTABLISHED)
                && peers.contains(portOf(fields[REMOTE]))
                && Long.parseLong(fields[QUEUES].split(":")[0], 16) >= MUCH;
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }
}
