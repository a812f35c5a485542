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
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
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

    /** A new file, at a place that it knows. */
    @FunctionalInterface
    private interface Creation {
        FSDataOutputStream create(Path file) throws IOException;
    }

    /** On three DataNodes each. Returns when all replicas are known. */
    static Objects create(FileSystem system, int count, int bytes) throws Exception {
        Objects objects = new Objects("/reads/" + bytes, count, bytes);
        objects.write(file -> system.create(file, true, BUFFER, REPLICAS, BLOCK));
        objects.await(system, "three replicas of ", hosts -> hosts.size() == REPLICAS);
        return objects;
    }

    /** On this DataNode only, which must have the room. */
    static Objects createOn(DistributedFileSystem system, DatanodeInfo node, int count, int bytes)
            throws Exception {
        Objects objects = new Objects("/reads/" + node.getHostName(), count, bytes);
        InetSocketAddress[] favoured = {
            new InetSocketAddress(node.getIpAddr(), node.getXferPort())
        };
        FsPermission permission = FsPermission.getFileDefault();
        objects.write(
                file ->
                        system.create(
                                file, permission, true, BUFFER, (short) 1, BLOCK, null, favoured));
        List<String> there = List.of(node.getHostName());
        objects.await(system, "on " + there + " is only ", there::equals);
        return objects;
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

    private void await(FileSystem system, String what, Predicate<List<String>> hosts)
            throws Exception {
        for (Path file : files) {
            Poll.until(
                    what + file,
                    LIMIT,
                    () ->
                            hosts.test(
                                    List.of(
                                            system.getFileBlockLocations(file, 0, 1)[0]
                                                    .getHosts())));
        }
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
