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
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A plain JVM with a gate that hooks close and open: the example of docs/internals/plain-jvm.md. It
 * counts inside the gate, in lines as counter.c's, and notes what the hooks asked for: "event
 * settled", "event closed", "event open original" or "event open clone".
 */
public final class GatedJvm {
    private static final int MODULUS = 1_000_003;

    private final OutputStream log;
    private byte[] cache = new byte[128 << 20];

    private GatedJvm(Path directory) throws IOException {
        log = new FileOutputStream(directory.resolve("log").toFile(), true);
        for (int page = 0; page < cache.length; page += 4096) {
            cache[page] = 1;
        }
    }

    /** Arguments: the directory with the log and the gate's FIFOs, "ask" and "answer". */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        GatedJvm jvm = new GatedJvm(directory);
        Gate gate = new Gate(directory, jvm);
        Thread doorkeeper = new Thread(gate, "doorkeeper");
        doorkeeper.setDaemon(true);
        doorkeeper.start();
        jvm.count(gate);
    }

    private synchronized void write(String line) throws IOException {
        log.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** What can be made again needn't be imaged. */
    private void giveMemoryBack() throws IOException {
        cache = new byte[0];
        System.gc();
        write("event settled");
    }

    private void count(Gate gate) throws Exception {
        long checksum = 0;
        for (long number = 1; ; number++) {
            gate.enter();
            try {
                checksum = (checksum * 31 + number) % MODULUS;
                String where = Gate.namespace().replaceAll("\\D", "");
                write(number + " " + checksum + " " + where);
            } finally {
                gate.leave();
            }
            Thread.sleep(1);
        }
    }

    /** Work is done inside. While it is closed nothing is half done, and nobody is spoken to. */
    private static final class Gate implements Runnable {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
        private final Path ask;
        private final Path answer;
        private final GatedJvm jvm;
        private String closedBy = "";

        Gate(Path directory, GatedJvm jvm) {
            ask = directory.resolve("ask");
            answer = directory.resolve("answer");
            this.jvm = jvm;
        }

        void enter() {
            lock.readLock().lock();
        }

        void leave() {
            lock.readLock().unlock();
        }

        /** Waits in open(2) for a hook, so that no descriptor is shared with one in the freeze. */
        @Override
        public void run() {
            try {
                for (; ; ) {
                    String word = Files.readString(ask, StandardCharsets.US_ASCII).strip();
                    obey(word);
                    // For reading as well, or it would wait for a hook that may have been killed.
                    try (RandomAccessFile said = new RandomAccessFile(answer.toFile(), "rw")) {
                        said.writeBytes("done " + word + "\n");
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void obey(String word) throws IOException {
            switch (word) {
                case "settle" -> jvm.giveMemoryBack();
                case "quiesce" -> close();
                case "resume" -> open();
                default -> throw new IOException("nobody asks for " + word);
            }
        }

        private void close() throws IOException {
            if (!lock.isWriteLockedByCurrentThread()) {
                lock.writeLock().lock();
            }
            closedBy = whoAmI();
            jvm.write("event closed");
        }

        /** The resume hook also runs when nothing was closed: the settle hook had said no. */
        private void open() throws IOException {
            if (!lock.isWriteLockedByCurrentThread()) {
                return;
            }
            // The clone closes here what it has of the original's: leases, registrations, ids.
            jvm.write(whoAmI().equals(closedBy) ? "event open original" : "event open clone");
            lock.writeLock().unlock();
        }

        /** Of all processes of all hosts this one's alone, whatever the clocks say. */
        private static String whoAmI() throws IOException {
            return namespace() + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
        }

        static String namespace() throws IOException {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        }
    }
}
