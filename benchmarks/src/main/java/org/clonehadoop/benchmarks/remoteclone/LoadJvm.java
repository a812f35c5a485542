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
package org.clonehadoop.benchmarks.remoteclone;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/**
 * The JVM that is cloned, built like a map task: record loops that write short-lived records into a
 * sort buffer, many threads that wait, and a clock that ticks every millisecond. Its log has a line
 * for each window of ticks, as {@link LoadLog} reads it.
 *
 * <p>SIGUSR2 closes its gate: the record loops stop between two records, with {@code --shrink} the
 * buffer is given back to the system, and then the FIFO {@code --quiet-fifo} is opened and closed.
 * SIGUSR1 opens the gate.
 */
public final class LoadJvm {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int RECORD_BYTES = 100;

    /** As incompressible as the keys and values of a typical job: zstd -1 halves it, and more. */
    private static final int RANDOM_BYTES = 36;

    private static final byte[] FILLER =
            "the quick brown fox jumps over the lazy dog, and again and again "
                    .getBytes(StandardCharsets.US_ASCII);

    /** A cache line for each loop's counter. */
    private static final int STRIDE = 8;

    private static final long WINDOW_NANOS = 50_000_000;
    private static final long JUMP_MILLIS = 20;

    private final OutputStream log;
    private final Path quietFifo;
    private final boolean shrinks;
    private final int loops;
    private final AtomicLongArray records;
    private final CountDownLatch filled;
    private volatile byte[][] buffer;

    private final Object gate = new Object();
    private boolean gateClosed;
    private int loopsAtGate;
    private volatile boolean stopping;

    private LoadJvm(Path log, Path quietFifo, int megabytes, int loops, boolean shrinks)
            throws IOException {
        this.log = new FileOutputStream(log.toFile(), true);
        this.quietFifo = quietFifo;
        this.shrinks = shrinks;
        records = new AtomicLongArray(loops * STRIDE);
        filled = new CountDownLatch(loops);
        buffer = new byte[megabytes][];
        this.loops = loops;
    }

    public static void main(String[] arguments) throws Exception {
        Path log = null;
        Path quietFifo = null;
        int megabytes = 256;
        int threads = 16;
        int loops = 1;
        boolean shrinks = false;
        for (String argument : arguments) {
            String value = argument.substring(argument.indexOf('=') + 1);
            switch (argument.substring(0, argument.length() - value.length())) {
                case "--log=" -> log = Path.of(value);
                case "--quiet-fifo=" -> quietFifo = Path.of(value);
                case "--buffer=" -> megabytes = Integer.parseInt(value);
                case "--threads=" -> threads = Integer.parseInt(value);
                case "--loops=" -> loops = Integer.parseInt(value);
                case "--shrink=" -> shrinks = Boolean.parseBoolean(value);
                default -> throw new IllegalArgumentException(argument);
            }
        }
        new LoadJvm(log, quietFifo, megabytes, loops, shrinks).run(threads - 1);
    }

    private void run(int threads) throws Exception {
        onSignal("USR2", this::closeGate);
        onSignal("USR1", this::openGate);
        for (int loop = 0; loop < loops; loop++) {
            int number = loop;
            start("record-loop-" + loop, () -> processRecords(number));
        }
        for (int thread = loops; thread < threads; thread++) {
            start("waiting-" + thread, LoadJvm::waitForNothing);
        }
        filled.await();
        tick();
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** By reflection: javac warns of sun.misc.Signal in a way that can't be switched off. */
    private static void onSignal(String name, Runnable action) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object proxy =
                Proxy.newProxyInstance(
                        LoadJvm.class.getClassLoader(),
                        new Class<?>[] {handler},
                        (self, method, parameters) -> {
                            action.run();
                            return null;
                        });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }

    private static void waitForNothing() {
        try {
            while (true) {
                Thread.sleep(1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- the record loops ----

    private void processRecords(int loop) {
        SplittableRandom random = new SplittableRandom(loop);
        long count = 0;
        for (boolean first = true; ; first = false) {
            for (int chunk = loop; chunk < buffer.length; chunk += loops) {
                byte[] bytes = buffer[chunk];
                if (bytes == null) {
                    bytes = new byte[CHUNK_BYTES];
                    buffer[chunk] = bytes;
                }
                int room = CHUNK_BYTES / RECORD_BYTES;
                for (int record = 0; record < room && !stopping; record++) {
                    byte[] made = makeRecord(random);
                    System.arraycopy(made, 0, bytes, record * RECORD_BYTES, RECORD_BYTES);
                    records.lazySet(loop * STRIDE, ++count);
                }
                passGate();
            }
            if (first) {
                filled.countDown();
            }
        }
    }

    private static byte[] makeRecord(SplittableRandom random) {
        byte[] record = new byte[RECORD_BYTES];
        System.arraycopy(FILLER, 0, record, RANDOM_BYTES, RECORD_BYTES - RANDOM_BYTES);
        for (int i = 0; i < RANDOM_BYTES; i += 4) {
            int bits = random.nextInt();
            record[i] = (byte) bits;
            record[i + 1] = (byte) (bits >> 8);
            record[i + 2] = (byte) (bits >> 16);
            record[i + 3] = (byte) (bits >> 24);
        }
        return record;
    }

    // ---- the gate ----

    private void passGate() {
        if (!stopping) {
            return;
        }
        synchronized (gate) {
            loopsAtGate++;
            gate.notifyAll();
            waitWhile(() -> gateClosed);
            loopsAtGate--;
        }
    }

    private void closeGate() {
        synchronized (gate) {
            gateClosed = true;
            stopping = true;
            waitWhile(() -> loopsAtGate < loops);
        }
        if (shrinks) {
            buffer = new byte[buffer.length][];
            System.gc();
        }
        try {
            // Blocks until the hook reads; it goes on at the end of the stream.
            new FileOutputStream(quietFifo.toFile()).close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void openGate() {
        synchronized (gate) {
            stopping = false;
            gateClosed = false;
            gate.notifyAll();
        }
    }

    private void waitWhile(BooleanSupplier condition) {
        try {
            while (condition.getAsBoolean()) {
                gate.wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- the clock ----

    private void tick() throws IOException, InterruptedException {
        Path namespace = Path.of("/proc/self/ns/pid");
        long number = 0;
        long last = System.nanoTime();
        while (true) {
            long end = last + WINDOW_NANOS;
            long longest = 0;
            // A clone says at once that it runs; for it, only the wall clock jumps.
            long wallEnd = System.currentTimeMillis() + WINDOW_NANOS / 1_000_000 + JUMP_MILLIS;
            while (last < end && System.currentTimeMillis() < wallEnd) {
                Thread.sleep(1);
                long now = System.nanoTime();
                longest = Math.max(longest, now - last);
                last = now;
                number++;
            }
            write(
                    number,
                    System.currentTimeMillis(),
                    Files.readSymbolicLink(namespace),
                    longest / 1000,
                    recordsOfAll());
        }
    }

    private long recordsOfAll() {
        long sum = 0;
        for (int loop = 0; loop < records.length(); loop += STRIDE) {
            sum += records.get(loop);
        }
        return sum;
    }

    private void write(Object... fields) throws IOException {
        StringBuilder line = new StringBuilder();
        for (Object field : fields) {
            line.append(field).append(' ');
        }
        log.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
    }
}
