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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.clonehadoop.benchmarks.harness.Poll;

/** Files of one block each, on three DataNodes each. */
final class Objects {
    private static final short REPLICAS = 3;
    private static final long BLOCK = 128 << 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<Path> files = new ArrayList<>();
    private final int bytes;

    private Objects(int bytes) {
        this.bytes = bytes;
    }

    /** Returns when all their replicas are known. */
    static Objects create(FileSystem system, int count, int bytes) throws Exception {
        Objects objects = new Objects(bytes);
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        for (int i = 0; i < count; i++) {
            Path file = new Path("/reads/" + bytes + "/" + i);
            objects.files.add(file);
            try (FSDataOutputStream out = system.create(file, true, 4096, REPLICAS, BLOCK)) {
                out.write(content);
            }
        }
        for (Path file : objects.files) {
            Poll.until(
                    "three replicas of " + file,
                    LIMIT,
                    () ->
                            system.getFileBlockLocations(file, 0, 1)[0].getHosts().length
                                    == REPLICAS);
        }
        return objects;
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
