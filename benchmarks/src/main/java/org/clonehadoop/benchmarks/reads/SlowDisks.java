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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.clonehadoop.benchmarks.harness.Arrivals;
import org.clonehadoop.benchmarks.harness.Outcome;
import picocli.CommandLine.Option;

/**
 * DataNodes with slow disks, as the run script has started them, and objects that are asked for.
 */
final class SlowDisks {
    private static final int WARM_UP = 8;
    private static final int COPY_THREADS = 64;
    private static final long DRAIN_SECONDS = 20;

    /** With so many for each disk there are seconds of work for it, and no end in sight. */
    private static final int HOPELESS_PER_DISK = 30;

    @Option(names = "--disks", hidden = true, required = true)
    private int disks;

    @Option(names = "--disk-mb", hidden = true, required = true)
    private double diskMegabytes;

    @Option(names = "--kb", hidden = true, required = true)
    private int kilobytes;

    @Option(names = "--objects", hidden = true, required = true)
    private int objectCount;

    private Objects objects;

    int disks() {
        return disks;
    }

    double diskMegabytes() {
        return diskMegabytes;
    }

    int kilobytes() {
        return kilobytes;
    }

    /** What there is to be written before anything is asked for. */
    String describe() {
        return objectCount + " files of " + kilobytes + " KB";
    }

    /** Writes the objects. */
    void fill() throws Exception {
        try (DistributedFileSystem system =
                (DistributedFileSystem) FileSystem.newInstance(new Configuration())) {
            objects = Objects.createEvenly(system, objectCount, kilobytes << 10);
        }
    }

    /** What a disk needs for an object. */
    double serviceMillis() {
        return kilobytes * 1.024 / diskMegabytes;
    }

    /**
     * @param load of all disks, in percent of what they can read
     * @return nanoseconds after the beginning, in order
     */
    long[] arrivals(int load, int seconds, long seed) {
        return Arrivals.poisson(load / 100.0 * disks * 1000 / serviceMillis(), seconds, seed);
    }

    /**
     * What becomes of requests that a client of that scheme makes at these times.
     *
     * @param first the object that the first one is for; then one after the other
     */
    Outcome ask(Scheme scheme, long[] arrivals, int first) throws Exception {
        Configuration client =
                scheme.client(new Configuration(), Math.round(2 * serviceMillis()), COPY_THREADS);
        try (FileSystem system = FileSystem.newInstance(client)) {
            for (int i = 0; i < WARM_UP; i++) {
                objects.get(system, first + objectCount - 1 - i);
            }
            return new OpenLoop(HOPELESS_PER_DISK * disks, DRAIN_SECONDS)
                    .run(arrivals, number -> objects.get(system, first + number));
        } finally {
            // Or all schemes after stock-hedged would be that.
            HedgedPool.remove();
        }
    }

    /** For those that wait for the table. */
    String brief(Outcome outcome) {
        return outcome.isUnstable(disks)
                ? "    no end"
                : "    %d requests: p50 %.0f, p95 %.0f, p99 %.0f ms"
                        .formatted(
                                outcome.requests(),
                                outcome.millis(50, disks),
                                outcome.millis(95, disks),
                                outcome.millis(99, disks));
    }

    /**
     * What an unstable scheme has left on the disks isn't the next one's.
     *
     * @throws IOException also if some disk stays busy
     */
    void awaitIdle() throws IOException {
        // A read that takes no longer than by itself finds all else gone.
        try (FileSystem system =
                FileSystem.newInstance(Scheme.SINGLE.client(new Configuration(), 0, 0))) {
            int fast = 0;
            for (int i = 0; fast < 2 * disks && i < 60 * disks; i++) {
                long begin = System.nanoTime();
                objects.get(system, i);
                fast = (System.nanoTime() - begin) / 1e6 <= 2 * serviceMillis() ? fast + 1 : 0;
            }
            if (fast < 2 * disks) {
                throw new IOException("the disks are still busy with something else");
            }
        }
    }
}
