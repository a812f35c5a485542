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
package org.clonehadoop.benchmarks.hdfsrepair;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.OpenStreams;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Poll;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What it takes to let a clone go on with a file that its original is writing. */
@Command(name = "hdfs-repair/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class HdfsRepair extends Benchmark {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Path ORIGINAL = new Path("/original");
    private static final Path CLONE = new Path("/clone");
    private static final Path AGAIN = new Path("/again");
    private static final long MB = 1 << 20;

    /** HDFS's default. */
    private static final long BLOCK = 128 * MB;

    /** Written in turns by a repaired stream and one that nobody ever cloned. */
    private static final long TURN = BLOCK;

    @Option(names = "--replicas", paramLabel = "N", description = "Of each block (3).")
    private int replicas = 3;

    @Option(names = "--scratch", paramLabel = "DIR", required = true)
    private java.nio.file.Path scratch;

    private final byte[] buffer = new byte[(int) MB];
    private LocalHdfs hdfs;
    private DistributedFileSystem system;

    @Override
    protected void measure(Summary summary) throws Exception {
        new Random(1).nextBytes(buffer);
        try (LocalHdfs started = LocalHdfs.start(Files.createDirectories(scratch), replicas)) {
            hdfs = started;
            system = started.system();
            summary.put("replicas", replicas);
            progress("warming up");
            new Sizes().run(BLOCK);
            Series small = measureSize(summary, "128mb", BLOCK).speedup();
            summary.add("link_speedup_128mb", "times faster", small);
            Sizes usual = measureSize(summary, "1gb", 8 * BLOCK);
            summary.addPaired(
                    "link_speedup_1gb", "times faster", usual.speedup(), Goal.atLeast(20));
            summary.add(
                    "extra_disk_ratio",
                    "disk more, over the file's",
                    usual.disk,
                    Goal.atMost(0.01));
            if (!quick()) {
                Series large = measureSize(summary, "8gb", 64 * BLOCK).speedup();
                summary.add("link_speedup_8gb", "times faster", large);
            }
            measureTail(summary);
            measureThroughput(summary);
        }
    }

    private Sizes measureSize(Summary summary, String name, long bytes) throws Exception {
        Sizes sizes = new Sizes();
        for (int run = 0; run < runs(); run++) {
            progress(name + ", run " + (run + 1) + " of " + runs());
            sizes.run(bytes);
        }
        summary.section(name + " in finished blocks");
        summary.add("link_ms_" + name, "repair by links", sizes.link);
        summary.add("rewrite_ms_" + name, "writing them again", sizes.rewrite);
        return sizes;
    }

    /** Of files that consist of finished blocks. */
    private final class Sizes {
        private final Series link = new Series();
        private final Series rewrite = new Series();
        private final Series disk = new Series();

        Series speedup() {
            return rewrite.over(link);
        }

        void run(long bytes) throws Exception {
            FSDataOutputStream out = create(ORIGINAL);
            write(out, bytes);
            OpenStreams streams = quiet();
            long diskBefore = hdfs.diskBytes();
            link.add(millis(() -> streams.repair(CLONE)));
            disk.add((double) (hdfs.diskBytes() - diskBefore) / (bytes * replicas));
            out.close();
            check(CLONE, bytes);
            rewrite.add(
                    millis(
                            () -> {
                                FSDataOutputStream again = create(AGAIN);
                                write(again, bytes);
                                again.hflush();
                                again.close();
                            }));
            clean();
        }
    }

    /** What isn't finished is copied: in the mean, half a block. */
    private void measureTail(Summary summary) throws Exception {
        Series repair = new Series();
        for (int run = 0; run < runs(); run++) {
            progress("half a block, run " + (run + 1) + " of " + runs());
            FSDataOutputStream out = create(ORIGINAL);
            write(out, 8 * BLOCK + BLOCK / 2);
            OpenStreams streams = quiet();
            repair.add(millis(() -> streams.repair(CLONE)));
            out.close();
            check(CLONE, 8 * BLOCK + BLOCK / 2);
            clean();
        }
        summary.section("1 GB in finished blocks, and half a block");
        summary.add("repair_ms_1gb", "repair", repair);
    }

    /** A stream that was repaired should be a stream like any other. */
    private void measureThroughput(Summary summary) throws Exception {
        FSDataOutputStream repaired = create(ORIGINAL);
        write(repaired, MB);
        quiet().repair(CLONE);
        FSDataOutputStream stock = create(AGAIN);
        Series ratios = new Series();
        for (int run = 0; run < 2 * runs(); run++) {
            progress("throughput, turn " + (run + 1) + " of " + 2 * runs());
            // Who is first changes, as the disk's state does.
            boolean stockFirst = run % 2 == 0;
            double first = millis(() -> turn(stockFirst ? stock : repaired));
            double second = millis(() -> turn(stockFirst ? repaired : stock));
            ratios.add(stockFirst ? first / second : second / first);
        }
        repaired.close();
        stock.close();
        clean();
        summary.section("writing on");
        summary.addPaired(
                "write_throughput_ratio",
                "a repaired stream, over stock",
                ratios,
                Goal.atLeast(0.99));
    }

    private void turn(FSDataOutputStream out) throws IOException {
        write(out, TURN);
        out.hflush();
    }

    private FSDataOutputStream create(Path directory) throws IOException {
        return system.create(new Path(directory, "part"), true, 4096, (short) replicas, BLOCK);
    }

    private void write(FSDataOutputStream out, long bytes) throws IOException {
        for (long left = bytes; left > 0; left -= buffer.length) {
            out.write(buffer);
        }
    }

    private OpenStreams quiet() throws Exception {
        OpenStreams streams = OpenStreams.find(system.makeQualified(ORIGINAL), hdfs.conf());
        Optional<String> obstacle = streams.quiesce(LIMIT);
        if (obstacle.isPresent()) {
            throw new IOException(obstacle.get());
        }
        return streams;
    }

    private interface Action {
        void run() throws Exception;
    }

    private static double millis(Action action) throws Exception {
        long before = System.nanoTime();
        action.run();
        return (System.nanoTime() - before) / 1e6;
    }

    private void check(Path directory, long bytes) throws IOException {
        long length = system.getFileStatus(new Path(directory, "part")).getLen();
        if (length != bytes) {
            throw new IOException(directory + " has " + length + " bytes, and not " + bytes);
        }
    }

    /** Until the DataNodes have deleted everything: nobody measured next shall pay for it. */
    private void clean() throws Exception {
        // A repair leaves the original's file open, and HDFS is slow to delete an open block.
        Path left = new Path(ORIGINAL, "part");
        Poll.until("the original's lease is recovered", LIMIT, () -> system.recoverLease(left));
        for (Path directory : new Path[] {ORIGINAL, CLONE, AGAIN}) {
            system.delete(directory, true);
        }
        Poll.until("blocks are deleted", LIMIT, () -> hdfs.diskBytes() == 0);
    }

    public static void main(String[] arguments) {
        execute(new HdfsRepair(), arguments);
    }
}
