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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class RemoteScriptTest {
    /** More than a pipe takes. */
    private static final String LONG = "x".repeat(1 << 20);

    private ProbeProcesses processes;

    @BeforeEach
    void start() throws IOException {
        processes = new ProbeProcesses();
    }

    @AfterEach
    void end() {
        processes.close();
    }

    private RemoteScript script(String command, long limitSeconds) {
        return new RemoteScript(
                processes, "probe-network", List.of("sh", "-c", command, "{}"), limitSeconds);
    }

    /** As a node that hangs behind its port, with the targets of a large cluster. */
    @Test
    @Timeout(60)
    void aNodeThatReadsNothingIsGivenUpAfterItsLimit() {
        assertThatThrownBy(() -> script("exec sleep 600", 1).run("h1", List.of(LONG)))
                .isInstanceOf(RemoteScript.NoAnswerException.class)
                .hasMessage("no answer within 1 s");
    }

    @Test
    void argumentsOfAnyLengthAndKindArrive() throws Exception {
        String bytes = script("wc --bytes", 60).run("h1", List.of(LONG, "it's"));
        assertThat(Integer.parseInt(bytes.strip())).isGreaterThan(LONG.length());
    }

    /** As sshd's, which comes before what ssh itself has to say. */
    @Test
    void aBannerDoesntHideTheReason() {
        String command =
                "printf 'Authorized users only\r\n\nh1: Permission denied (publickey).\r\n\n' >&2;"
                        + " exit 255";
        assertThatThrownBy(() -> script(command, 60).run("h1", List.of()))
                .isInstanceOf(RemoteScript.NoAnswerException.class)
                .hasMessage("exit code 255: h1: Permission denied (publickey).");
    }

    @Test
    void anInterruptEndsTheProcess(@TempDir Path directory) throws Exception {
        Path pid = directory.resolve("pid");
        RemoteScript script =
                script("echo $$ >%1$s.new; mv %1$s.new %1$s; exec sleep 600".formatted(pid), 600);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<String> answer = thread.submit(() -> script.run("h1", List.of()));
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(pid));
            ProcessHandle process =
                    ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
            thread.shutdownNow();
            process.onExit().get(1, TimeUnit.MINUTES);
            assertThatThrownBy(answer::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RemoteScript.NoAnswerException.class);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void theEndOfACheckEndsItsProcessesAndStartsNoMore() throws Exception {
        List<String> command = List.of("sleep", "600");
        ProbeProcesses.Started started = processes.start(command, new byte[0]);
        Path files = started.in().getParent();
        processes.close();
        assertThat(started.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(files).doesNotExist();
        assertThatThrownBy(() -> processes.start(command, new byte[0]))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(processes::requireGoingOn).isInstanceOf(IOException.class);
    }
}
