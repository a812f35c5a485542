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
package org.clonehadoop.benchmarks.reads;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.thirdparty.com.google.common.collect.ImmutableSet;
import org.apache.hadoop.thirdparty.com.google.common.collect.Sets;
import org.clonehadoop.benchmarks.harness.Poll;

/** Files of one block each. */
final class Objects {
    private static final short REPLICAS = 3;
    private static final long BLOCK = 128 << 20;
    private static final int BUFFER = 4096;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<Path> files = new ArrayList<>();
    private final int bytes;

    private Objects(String directory, int count, int bytes) {
        this.bytes = bytes;
        for (int i = 0; i < count; i++) {
            files.add(new Path(directory, String.valueOf(i)));
        }
    }

    /** On three DataNodes each. Returns when all replicas are known. */
    static Objects create(FileSystem system, int count, int bytes) throws Exception {
        Objects objects = new Objects("/reads/" + bytes, count, bytes);
        objects.write(file -> system.create(file, true, BUFFER, REPLICAS, BLOCK));
        for (Path file : objects.files) {
            await(system, "three replicas of ", file, hosts -> hosts.size() == REPLICAS);
        }
        return objects;
    }

    /**
     * The same, on each three of all DataNodes as often as on each other, and in no order: where
     * the NameNode chooses, some disk has a tenth more of the objects than the others, and so a
     * tenth more to do than is said.
     */
    static Objects createEvenly(DistributedFileSystem system, int count, int bytes)
            throws Exception {
        List<Set<DatanodeInfo>> places =
                List.copyOf(
                        Sets.combinations(
                                ImmutableSet.copyOf(system.getDataNodeStats()), REPLICAS));
        List<Set<DatanodeInfo>> placeOf = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            placeOf.add(places.get(i % places.size()));
        }
        Collections.shuffle(placeOf, new Random(count));
        Objects objects = new Objects("/reads/" + bytes, count, bytes);
        objects.writeAt(system, placeOf);
        return objects;
    }

    /** On this DataNode only, which must have the room. */
    static Objects createOn(DistributedFileSystem system, DatanodeInfo node, int count, int bytes)
            throws Exception {
        Objects objects = new Objects("/reads/" + node.getHostName(), count, bytes);
        objects.writeAt(system, Collections.nCopies(count, Set.of(node)));
        return objects;
    }

    private void writeAt(DistributedFileSystem system, List<Set<DatanodeInfo>> placeOf)
            throws Exception {
        Iterator<Set<DatanodeInfo>> places = placeOf.iterator();
        write(file -> createAt(system, file, places.next()));
        for (int i = 0; i < files.size(); i++) {
            Set<String> there =
                    placeOf.get(i).stream()
                            .map(DatanodeInfo::getHostName)
                            .collect(Collectors.toSet());
            await(
                    system,
                    "on " + there + " is only ",
                    files.get(i),
                    hosts -> Set.copyOf(hosts).equals(there));
        }
    }

    private static FSDataOutputStream createAt(
            DistributedFileSystem system, Path file, Set<DatanodeInfo> places) throws IOException {
        return system.create(
                file,
                FsPermission.getFileDefault(),
                true,
                BUFFER,
                (short) places.size(),
                BLOCK,
                null,
                places.stream()
                        .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
                        .toArray(InetSocketAddress[]::new));
    }

    /** A new file, at places that it knows. */
    @FunctionalInterface
    private interface Creation {
        FSDataOutputStream create(Path file) throws IOException;
    }

    private void write(Creation creation) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        for (Path file : files) {
            try (FSDataOutputStream out = creation.create(file)) {
                out.write(content);
            }
        }
    }

    private static void await(
            FileSystem system, String what, Path file, Predicate<List<String>> hosts)
            throws Exception {
        Poll.until(
                what + file,
                LIMIT,
                () -> hosts.test(List.of(system.getFileBlockLocations(file, 0, 1)[0].getHosts())));
    }

    Path file(int number) {
        return files.get(number % files.size());
    }

    /** All of one, as a client does it that knows only its name. */
    void get(FileSystem system, int number) throws IOException {
        byte[] read = new byte[bytes];
        try (FSDataInputStream in = system.open(file(number))) {
            in.readFully(0, read);
        }
    }
}
