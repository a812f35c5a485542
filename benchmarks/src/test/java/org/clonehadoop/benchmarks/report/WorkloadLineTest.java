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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadLineTest {
    @TempDir private Path scratch;

    private WorkloadLine line(String more) throws IOException {
        Path file =
                Files.writeString(
                        scratch.resolve("workloads-a.ndjson"),
                        "{\"commit\": \"a\", \"workload\": \"sort\", \"variant\": \"all\","
                                + " \"round\": \"1\", \"jobs_s\": 3.5, "
                                + more
                                + "}\n");
        return Lines.read(file, WorkloadLine.class, "run of a workload").get(0);
    }

    @Test
    void aRunWhoseOutputIsNotHadoopsHasFailed() throws IOException {
        JobLine job = line("\"identical\": false").asRun().job();

        assertThat(job.isFailed()).isTrue();
        assertThat(job.trouble()).isEqualTo("sort");
    }

    @Test
    void aWorkloadWithASlowHostIsAnotherTrouble() throws IOException {
        Run run = line("\"slow_host_percent\": 25, \"identical\": true, \"clones_won\": 2").asRun();

        assertThat(run.job().trouble()).isEqualTo("sort, a host at 25 %");
        assertThat(run.job().trouble()).isEqualTo(WorkloadLine.withSlowHost("sort"));
        assertThat(WorkloadLine.even(run.job().trouble())).isEqualTo("sort");
        assertThat(run.seconds()).isEqualTo(3.5);
        assertThat(run.job().clonesWon()).isEqualTo(2);
        assertThat(run.reportedSeconds()).isNull();
    }

    @Test
    void saysItsSizeAndWhatHiBenchReports() throws IOException {
        assertThat(line("\"megabytes\": 250, \"tasks\": 4").asRun().setup().size())
                .isEqualTo("250 MB, 4 tasks");
        assertThat(line("\"scale\": \"tiny\", \"tasks\": 8").asRun().setup().size())
                .isEqualTo("HiBench's tiny, 8 tasks");
        Run old = line("\"input_bytes\": 500000123, \"hibench_s\": 54.3").asRun();
        assertThat(old.setup().size()).isEqualTo("500 MB");
        assertThat(old.reportedSeconds()).isEqualTo(54.3);
        assertThat(line("\"jobs\": 1").asRun().setup().size()).isEmpty();
    }
}
