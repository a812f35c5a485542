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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.JobConf;

/** The descriptors that this process has open. Looked at only when somebody asks for a clone. */
final class Descriptors {
    private static final Path PROC = Path.of("/proc/self");

    private Descriptors() {}

    /**
     * Why a clone can't be made as long as they are open.
     *
     * @param own directories that a clone gets its own copy of
     */
    static Set<String> obstacles(Collection<Path> own, JobConf job) {
        try {
            List<Descriptor> open = open();
            Set<Long> wanted =
                    open.stream()
                            .flatMap(descriptor -> descriptor.socket().stream())
                            .collect(Collectors.toSet());
            Descriptor.Known known =
                    new Descriptor.Known(
                            sockets(
                                    List.of("tcp", "tcp6"),
                                    TcpSocket::parse,
                                    TcpSocket::inode,
                                    wanted),
                            sockets(
                                    List.of("udp", "udp6"),
                                    UdpSocket::parse,
                                    UdpSocket::inode,
                                    wanted),
                            HadoopPeers.tcp(job),
                            unix(wanted),
                            HadoopPeers.unix(),
                            real(own));
            Set<String> found = new LinkedHashSet<>();
            open.forEach(descriptor -> descriptor.obstacle(known).ifPresent(found::add));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As /proc shows them. One that isn't there yet has nothing open. */
    private static List<Path> real(Collection<Path> directories) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path directory : directories) {
            if (Files.exists(directory)) {
                found.add(directory.toRealPath());
            }
        }
        return found;
    }

    private static List<Descriptor> open() throws IOException {
        List<Descriptor> found = new ArrayList<>();
        try (Stream<Path> links = Files.list(PROC.resolve("fd"))) {
            for (Path link : links.toList()) {
                read(link).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Descriptor> read(Path link) throws IOException {
        try {
            String target = Files.readSymbolicLink(link).toString();
            int number = Integer.parseInt(link.getFileName().toString());
            return Optional.of(
                    new Descriptor(
                            number, target, isForWriting(link) && Files.isRegularFile(link)));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // closed meanwhile
        }
    }

    /**
     * The link has the mode of the open file (proc_pid_fd(5)). So the hundreds of a JVM's jars
     * needn't be looked at any closer.
     */
    private static boolean isForWriting(Path link) throws IOException {
        return Files.getPosixFilePermissions(link, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_WRITE);
    }

    /** Those in the tables of a protocol, by inode. */
    private static <S> Map<Long, S> sockets(
            List<String> tables,
            Function<String, Optional<S>> parse,
            Function<S, Long> inode,
            Set<Long> wanted)
            throws IOException {
        Map<Long, S> sockets = new HashMap<>();
        for (String table : tables) {
            for (S socket : read(table, parse, inode, wanted)) {
                sockets.put(inode.apply(socket), socket);
            }
        }
        return sockets;
    }

    private static Set<Long> unix(Set<Long> wanted) throws IOException {
        return read("unix", UnixSocket::parse, UnixSocket::inode, wanted).stream()
                .filter(UnixSocket::isInUse)
                .map(UnixSocket::inode)
                .collect(Collectors.toSet());
    }

    /**
     * Line by line, as the tables are those of the whole host, which may have hundreds of thousands
     * of sockets. Names of Unix sockets may be any bytes.
     */
    private static <S> List<S> read(
            String table,
            Function<String, Optional<S>> parse,
            Function<S, Long> inode,
            Set<Long> wanted)
            throws IOException {
        Path file = PROC.resolve("net").resolve(table);
        if (!Files.exists(file)) { // not every host has IPv6
            return List.of();
        }
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.flatMap(line -> parse.apply(line).stream())
                    .filter(socket -> wanted.contains(inode.apply(socket)))
                    .toList();
        }
    }
}
