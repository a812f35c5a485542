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
package org.clonehadoop.benchmarks.priorities;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Workers in a closed loop, each of which reads 4 KB somewhere, past the page cache. As a program,
 * {@code RandomReads FILE WORKERS}, it goes on until it is ended: so it may have a class of its
 * own.
 */
public final class RandomReads {
    private static final int BYTES = 4096;
    private static final int DIGITS = 3;

    private RandomReads() {}

    /** What each read took, in microseconds. */
    static Histogram during(Path file, int workers, double seconds)
            throws IOException, InterruptedException {
        ConcurrentHistogram micros = new ConcurrentHistogram(DIGITS);
        long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            List<Thread> threads = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                long seed = worker;
                threads.add(new Thread(() -> work(channel, new Random(seed), end, micros)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        return micros;
    }

    private static void work(FileChannel channel, Random random, long end, Histogram micros) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * BYTES).alignedSlice(BYTES);
        try {
            long blocks = channel.size() / BYTES;
            for (long now = System.nanoTime(); now < end; ) {
                channel.read(buffer.clear().limit(BYTES), random.nextLong(blocks) * BYTES);
                long ended = System.nanoTime();
                micros.recordValue((ended - now) / 1000);
                now = ended;
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        during(Path.of(arguments[0]), Integer.parseInt(arguments[1]), TimeUnit.DAYS.toSeconds(1));
    }
}
