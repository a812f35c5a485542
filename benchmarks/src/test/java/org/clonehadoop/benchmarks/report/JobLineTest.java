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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLineTest {
    private static final String JOB =
            "{\"commit\":\"v\",\"trouble\":\"log-normal\",\"variant\":\"all\",\"round\":\"20261130T1Z-3\",";

    @TempDir private Path scratch;

    private Path file(String... ends) throws IOException {
        return Files.write(
                scratch.resolve("whole-jobs.ndjson"), Stream.of(ends).map(JOB::concat).toList());
    }

    @Test
    void aJobThatFailedIsNoneOfThoseThatEndedWell() throws IOException {
        Path file = file("\"job_s\":9,\"winners\":[\"m_000001\"]}", "\"failed\":true}");

        assertThat(JobLine.read(file)).extracting(JobLine::seconds).containsExactly(9.0);
        List<JobLine> failed = JobLine.all(file).stream().filter(JobLine::isFailed).toList();
        assertThat(failed).hasSize(1);
        UnfinishedSessions unfinished = UnfinishedSessions.of(List.of());
        assertThat(HistoryPage.markdown(WholeJobs.of(List.of()), failed, unfinished, Map.of()))
                .contains("lines began to tell: `log-normal`, CloneHadoop, `v`.");
    }

    @Test
    void oneThatEndedWellTookTime() throws IOException {
        Path file = file("\"extra_attempts\":1}");

        assertThatThrownBy(() -> JobLine.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a job that ended well takes time");
    }

    @Test
    void delaysAreDrawnByTheSeedOrInOlderLinesByTheRoundsNumber() throws IOException {
        assertThat(JobLine.read(file("\"job_s\":9,\"seed\":6184201}", "\"job_s\":9}")))
                .extracting(JobLine::drawnBy)
                .containsExactly(6184201L, 3L);
    }
}
