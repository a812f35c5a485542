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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a clone wouldn't find on its host. */
class NamedFilesTest {
    private static final TaskAttemptID ATTEMPT =
            TaskAttemptID.forName("attempt_1700000000000_0001_m_000003_1");

    @TempDir private Path place;

    @ParameterizedTest
    @CsvSource({
        "cache-attempt_1700000000000_0001_m_000003_1.db, true",
        "attempt_1700000000000_0001_m_000003_0, true",
        "task_1700000000000_0001_m_000003, true",
        "attempt_1700000000000_0001_m_000004_1, false",
        "attempt_1700000000000_0001_r_000003_1, false",
        "job_1700000000000_0001, false",
        "hsperfdata_yarn, false"
    })
    void isNamedAfterTheTask(String name, boolean refused) throws IOException {
        Path file = Files.createFile(place.resolve(name));
        assertThat(NamedFiles.obstacles(List.of(), List.of(place), ATTEMPT))
                .isEqualTo(
                        refused
                                ? Set.of("it has " + file + ", which isn't in its own directories")
                                : Set.of());
        assertThat(NamedFiles.obstacles(List.of(place), List.of(), ATTEMPT))
                .isEqualTo(
                        refused
                                ? Set.of(
                                        "it has "
                                                + file
                                                + ", and a clone may look for it by its own id")
                                : Set.of());
    }

    /** Hadoop's java.io.tmpdir is below the working directory, a test's is /tmp. */
    @Test
    void isSharedWhereTheTasksOwnPlaceIs() throws IOException {
        Path file = Files.createFile(place.resolve(ATTEMPT.toString()));
        assertThat(NamedFiles.obstacles(List.of(place), List.of(place), ATTEMPT))
                .containsExactly("it has " + file + ", which isn't in its own directories");
    }

    @Test
    void isNothingWhereThereIsNoSuchPlace() {
        Path none = place.resolve("none");
        assertThat(NamedFiles.obstacles(List.of(none), List.of(none), ATTEMPT)).isEmpty();
    }
}
