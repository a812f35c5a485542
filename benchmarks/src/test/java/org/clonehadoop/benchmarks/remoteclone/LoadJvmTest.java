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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.clonehadoop.benchmarks.harness.Poll;
import org.clonehadoop.benchmarks.harness.ProcFile;
import org.clonehadoop.benchmarks.harness.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real JVM: what the benchmark relies on is what it does between processes. */
class LoadJvmTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;
    private Path log;
    private Path fifo;
    private Programs programs;

    @BeforeEach
    void makeFifo() throws Exception {
        programs = new Programs();
        log = directory.resolve("log");
        fifo = directory.resolve("fifo");
        programs.run(List.of("mkfifo", fifo.toString()));
    }

    @AfterEach
    void endPrograms() {
        programs.close();
    }

    @Test
    void ticksAndProcessesRecordsUntilItsGateCloses() throws Exception {
        Process jvm = start(new Load(List.of("-Xmx64m"), List.of("--buffer=8", "--loops=2")));
        awaitRecordsBeyond(0);
        closeGate(jvm);
        long atGate = lastAfterAnotherWindow().records();
        assertThat(lastAfterAnotherWindow().records()).isEqualTo(atGate);
        signal(jvm, "USR1");
        awaitRecordsBeyond(atGate);
    }

    @Test
    void givesItsBufferBackAndGoesOn() throws Exception {
        Process jvm =
                start(
                        new Load(
                                Load.shrinkingTask().jvmOptions(),
                                List.of("--buffer=128", "--shrink=true")));
        awaitRecordsBeyond(0);
        long before = privateKilobytes(jvm);
        assertThat(before).isGreaterThan(128 << 10);
        closeGate(jvm);
        assertThat(privateKilobytes(jvm)).isLessThan(before - (100 << 10));
        long atGate = lastAfterAnotherWindow().records();
        signal(jvm, "USR1");
        awaitRecordsBeyond(atGate);
    }

    private Process start(Load load) throws Exception {
        Process jvm = programs.start(load.command(log, fifo), directory.resolve("output"));
        Poll.until("the first tick", LIMIT, () -> Files.exists(log) && !read().isEmpty());
        return jvm;
    }

    /** As the quiesce hook does. */
    private void closeGate(Process jvm) throws Exception {
        signal(jvm, "USR2");
        Process cat = programs.start(List.of("cat", fifo.toString()), directory.resolve("quiet"));
        Poll.until("the gate is closed", LIMIT, () -> !cat.isAlive());
    }

    private void signal(Process jvm, String signal) throws Exception {
        programs.run(List.of("sh", "-c", "kill -" + signal + " " + jvm.pid()));
    }

    private void awaitRecordsBeyond(long records) throws Exception {
        Poll.until("more records", LIMIT, () -> read().last().records() > records);
    }

    private LoadLog.Window lastAfterAnotherWindow() throws Exception {
        int windows = read().windows().size();
        Poll.until("another tick", LIMIT, () -> read().windows().size() > windows);
        return read().last();
    }

    private LoadLog read() throws Exception {
        return LoadLog.read(log);
    }

    private static long privateKilobytes(Process jvm) throws Exception {
        return ProcFile.read("/proc/" + jvm.pid() + "/status").kilobytes("RssAnon");
    }
}
