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
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OfferWatchTest {
    @TempDir private Path directory;

    @BeforeEach
    void setUp() throws Exception {
        for (String name : new String[] {SourcePaths.MESSAGES, "reply"}) {
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

    @Test
    void makesNoFilesWhereThereAreNone() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        assertThatThrownBy(() -> Offer.wake(gone)).isInstanceOf(NoSuchFileException.class);
        assertThat(gone).isEmptyDirectory();
    }
}
