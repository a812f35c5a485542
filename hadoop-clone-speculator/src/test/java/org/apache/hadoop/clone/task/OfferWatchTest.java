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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class OfferWatchTest {
    private static final List<String> FIFOS = List.of(SourcePaths.MESSAGES, "reply");

    @TempDir private Path directory;

    @BeforeEach
    void makeFifos() throws Exception {
        for (String name : FIFOS) {
            new ProcessBuilder("mkfifo", directory.resolve(name).toString()).start().waitFor();
        }
    }

    /** Whichever the wait, and however often there is one. */
    @Test
    void wakesWhoeverWaitsForTheToolUntilAllIsOver() throws Exception {
        try (OfferWatch watch = new OfferWatch(directory)) {
            watch.wakeAfter(0);
            for (int i = 0; i < 2; i++) {
                assertThat(Files.readAllLines(directory.resolve(SourcePaths.MESSAGES)))
                        .contains("ended killed");
                Files.newOutputStream(directory.resolve("reply")).close();
            }
        }
    }

    /** As with no descriptor left. */
    @Test
    void wakesLaterIfItCanNotAtOnce() throws Exception {
        for (String name : FIFOS) {
            Files.delete(directory.resolve(name));
        }
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(NextTry.class));
        try (OfferWatch watch = new OfferWatch(directory)) {
            watch.wakeAfter(0);
            Awaitility.await().until(() -> log.getOutput().contains("Can't open the gate again"));
            makeFifos();
            assertThat(Files.readAllLines(directory.resolve(SourcePaths.MESSAGES)))
                    .contains("ended killed");
        } finally {
            log.stopCapturing();
        }
    }

    @Test
    void makesNoFilesWhereThereAreNone() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        assertThatThrownBy(() -> Offer.wake(gone)).isInstanceOf(NoSuchFileException.class);
        assertThat(gone).isEmptyDirectory();
    }
}
