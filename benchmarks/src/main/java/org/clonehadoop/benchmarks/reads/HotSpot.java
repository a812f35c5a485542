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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** Files that one DataNode alone has, and that others read all the time: stock clients. */
final class HotSpot implements AutoCloseable {
    /** So many that none is still in the page cache when its turn comes again. */
    private static final int FILES = 40;

    private static final int END_SECONDS = 60;

    private final DistributedFileSystem system;
    private final Objects files;
    private final List<Future<?>> reads = new ArrayList<>();
    private ExecutorService readers;

    private HotSpot(DistributedFileSystem system, Objects files) {
        this.system = system;
        this.files = files;
    }

    /** Writes the files, on the DataNode whose name is the first. */
    static HotSpot create(Configuration conf, int bytes) throws Exception {
        DistributedFileSystem system =
                (DistributedFileSystem) FileSystem.newInstance(Scheme.SINGLE.client(conf, 0, 0));
        DatanodeInfo node =
                Arrays.stream(system.getDataNodeStats())
                        .min(Comparator.comparing(DatanodeInfo::getHostName))
                        .orElseThrow(() -> new IOException("no DataNode reports"));
        return new HotSpot(system, Objects.createOn(system, node, FILES, bytes));
    }

    /**
     * @param count how many read, one file after the other
     */
    void begin(int count) {
        readers = Executors.newFixedThreadPool(count);
        AtomicInteger next = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            reads.add(readers.submit(() -> readAll(next)));
        }
    }

    private Void readAll(AtomicInteger next) throws IOException {
        while (!readers.isShutdown()) {
            files.get(system, next.getAndIncrement());
        }
        return null;
    }

    /** A reader that couldn't go on until now is an error: then it wasn't hot. */
    void end() throws Exception {
        readers.shutdown();
        for (Future<?> read : reads) {
            read.get(END_SECONDS, TimeUnit.SECONDS);
        }
        reads.clear();
    }

    @Override
    public void close() throws IOException {
        system.close();
    }
}
