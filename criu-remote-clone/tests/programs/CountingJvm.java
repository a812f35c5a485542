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
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A JVM to clone: a heap of data that can be verified, threads that do so all the time, maybe a TCP
 * connection, and a counter. Its log is as counter.c's, one line each tick:
 *
 * <pre>NUMBER CHECKSUM WHERE gap=MS checks=N pings=N</pre>
 *
 * gap: the longest time between two ticks so far; checks: verified slices of the heap; pings:
 * echoes that came back. Lines "event connection lost" (once), "event shrunk" (after SIGUSR2 with
 * --shrink-on-signal) and "bad WHAT" say what happened. SIGTERM: exit code 43.
 */
public final class CountingJvm {
    private static final int SLICE_WORDS = 1 << 15; // 256 KiB
    private static final int MODULUS = 1_000_003;

    private final long[][] slices;
    private final AtomicLongArray checks;
    private final AtomicLong pings = new AtomicLong();
    private final OutputStream log;
    private byte[] droppable = {};

    private CountingJvm(int heapMegabytes, int threads, int shrinkMegabytes, OutputStream log) {
        this.log = log;
        slices = new long[heapMegabytes * 4][SLICE_WORDS];
        for (int slice = 0; slice < slices.length; slice++) {
            SplittableRandom random = new SplittableRandom(slice);
            for (int word = 0; word < SLICE_WORDS; word++) {
                slices[slice][word] = random.nextLong();
            }
        }
        checks = new AtomicLongArray(threads);
        if (shrinkMegabytes > 0) {
            droppable = new byte[shrinkMegabytes << 20];
            new SplittableRandom(0).nextBytes(droppable);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int heap = 64;
        int threads = 4;
        int shrink = 0;
        int interval = 5;
        String peer = null;
        OutputStream log = System.out;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--heap" -> heap = Integer.parseInt(value);
                case "--threads" -> threads = Integer.parseInt(value);
                case "--interval" -> interval = Integer.parseInt(value);
                case "--peer" -> peer = value;
                case "--log" -> log = new FileOutputStream(value, true);
                case "--shrink-on-signal" -> shrink = Integer.parseInt(value);
                default -> throw new IllegalArgumentException(arguments[i]);
            }
        }
        CountingJvm jvm = new CountingJvm(heap, threads, shrink, log);
        onSignal("TERM", () -> Runtime.getRuntime().halt(43));
        onSignal("USR2", jvm::shrink);
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            start("verifier-" + thread, () -> jvm.verify(number));
        }
        if (peer != null) {
            int colon = peer.lastIndexOf(':');
            Socket socket = new Socket();
            socket.connect(
                    new InetSocketAddress(
                            peer.substring(0, colon), Integer.parseInt(peer.substring(colon + 1))));
            start("pinger", () -> jvm.ping(socket));
        }
        jvm.count(interval);
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
                        CountingJvm.class.getClassLoader(),
                        new Class<?>[] {handler},
                        (self, method, parameters) -> {
                            action.run();
                            return null;
                        });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }

    private synchronized void write(String line) {
        try {
            log.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            log.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void verify(int thread) {
        for (int round = 0; ; round++) {
            int slice = (int) ((round * (long) checks.length() + thread) % slices.length);
            SplittableRandom random = new SplittableRandom(slice);
            for (long word : slices[slice]) {
                if (word != random.nextLong()) {
                    write("bad slice " + slice);
                    return;
                }
            }
            checks.incrementAndGet(thread);
            pause(1);
        }
    }

    private void ping(Socket socket) {
        try {
            for (int value = 0; ; value = (value + 1) & 0x7f) {
                socket.getOutputStream().write(value);
                int echo = socket.getInputStream().read();
                if (echo < 0) {
                    throw new IOException("end of stream");
                }
                if (echo != value) {
                    write("bad echo");
                }
                pings.incrementAndGet();
                pause(5);
            }
        } catch (IOException e) {
            write("event connection lost");
        }
    }

    private void shrink() {
        droppable = new byte[] {};
        System.gc();
        write("event shrunk");
    }

    private void count(int interval) throws IOException {
        Path namespace = Path.of("/proc/self/ns/pid");
        long checksum = 0;
        long longest = 0;
        long before = System.nanoTime();
        for (long number = 1; ; number++) {
            checksum = (checksum * 31 + number) % MODULUS;
            long now = System.nanoTime();
            longest = Math.max(longest, now - before);
            before = now;
            long verified = 0;
            for (int thread = 0; thread < checks.length(); thread++) {
                verified += checks.get(thread);
            }
            // pid:[4026531836]
            String where = Files.readSymbolicLink(namespace).toString().replaceAll("\\D", "");
            write(
                    String.format(
                            "%d %d %s gap=%d checks=%d pings=%d",
                            number, checksum, where, longest / 1_000_000, verified, pings.get()));
            pause(interval);
        }
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
