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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What duplicates take of a heap that others need. */
class DuplicateMemoryTest {
    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;
    private static final int SECONDS = 60;

    private static DuplicateMemory memory(int threads, int windowBytes) {
        ReadSettings settings =
                new ReadSettings(
                        Policy.das(Duration.ofMillis(1)),
                        windowBytes,
                        threads,
                        Optional.empty(),
                        false,
                        Optional.empty());
        return DuplicateThreads.of(settings).memory();
    }

    /** A program that needs nearly all of its heap, and whose duplicates take what they can. */
    public static final class Program {
        public static void main(String[] arguments) {
            DuplicateMemory memory = memory(16, 4 * MB);
            List<byte[]> kept = new ArrayList<>();
            while (left() > Long.parseLong(arguments[0]) * MB) {
                kept.add(new byte[64 * KB]);
            }
            List<DuplicateMemory.Part> taken = new ArrayList<>();
            Optional<DuplicateMemory.Part> part = memory.take(64 * KB);
            while (part.isPresent()) {
                taken.add(part.get());
                kept.add(new byte[64 * KB]);
                part = memory.take(64 * KB);
            }
            System.out.println(kept.size() + " " + taken.size());
        }

        private static long left() {
            Runtime jvm = Runtime.getRuntime();
            return jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory();
        }
    }

    private static int run(int leavesMb) throws Exception {
        Process program =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Program.class.getName(),
                                String.valueOf(leavesMb))
                        .inheritIO()
                        .start();
        try {
            assertThat(program.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
            return program.exitValue();
        } finally {
            program.destroyForcibly();
        }
    }

    /** It would end such a program to run out of memory, even if we caught that. */
    @Test
    void theyTakeALittleOfAHeapOnly() throws Exception {
        assertThat(run(40)).isZero();
    }

    @Test
    void andNothingOfOneThatIsNearlyFull() throws Exception {
        assertThat(run(6)).isZero();
    }

    @Test
    void manyThreadsHaveSomeAsWell() {
        DuplicateMemory memory = memory(1 << 30, 5 * KB);
        memory.take(5 * KB).orElseThrow().give();
    }

    /** As by streams that are never closed. */
    @Test
    void whatIsForgottenIsGivenBack() {
        DuplicateMemory memory = new DuplicateMemory(10);
        assertThat(memory.take(10)).isPresent();
        await().until(
                        () -> {
                            System.gc();
                            return memory.take(10).isPresent();
                        });
    }

    @Test
    void whereThereIsNoneItIsSaidOnceAnHour() {
        DuplicateMemory memory = new DuplicateMemory(10);
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(DuplicateMemory.class));
        try {
            DuplicateMemory.Part all = memory.take(10).orElseThrow();
            assertThat(log.getOutput()).isEmpty();
            assertThat(memory.take(1)).isEmpty();
            assertThat(memory.take(1)).isEmpty();
            assertThat(log.getOutput())
                    .containsOnlyOnce("Some reads have no duplicates: the 10 bytes");
            all.give();
        } finally {
            log.stopCapturing();
        }
    }
}
