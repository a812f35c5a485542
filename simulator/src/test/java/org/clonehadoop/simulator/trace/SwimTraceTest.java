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
package org.clonehadoop.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwimTraceTest {
    private static final Offset<Double> NEARLY = within(1e-6);

    @TempDir private Path directory;

    private SwimJob job(String id) throws IOException {
        return TenJobs.jobs(directory).stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLineIsAJob() throws IOException {
        assertThat(TenJobs.jobs(directory)).hasSize(10);
        assertThat(job("join")).isEqualTo(new SwimJob("join", 100, 13 * 1024, 2 * 1024, 100));
    }

    @Test
    void jobsThatAreSubmittedTooLateAreLeftOut() throws IOException {
        assertThat(SwimTrace.read(TenJobs.in(directory), 3600)).hasSize(8);
        assertThatThrownBy(() -> SwimTrace.read(TenJobs.in(directory), 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no job");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\t1\t1\t1\t1", "a\t1\t1\tmuch\t1\t1", "a\t1\t1\t-1\t1\t1", ""})
    void whatIsNoJobIsSaid(String line) throws IOException {
        Path file = directory.resolve("bad.tsv");
        Files.write(file, List.of(TenJobs.LINES.get(0), line));

        assertThatThrownBy(() -> SwimTrace.read(file, 3600))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bad.tsv:2: no job");
    }

    @Test
    void thereIsAMapForEachBlockAndAReduceForEachGigabyte() throws IOException {
        assertThat(job("sort").maps()).isEqualTo(32);
        assertThat(job("sort").reduces()).isEqualTo(4);
        assertThat(job("tiny").maps()).isEqualTo(1);
        assertThat(job("tiny").reduces()).isEqualTo(1);
        assertThat(job("map-only").reduces()).isZero();
        assertThat(job("nothing").maps()).isEqualTo(1);
    }

    @Test
    void noMapMakesMoreThanAGigabyte() throws IOException {
        assertThat(job("generates").maps()).isEqualTo(6);
        assertThat(job("expands").maps()).isEqualTo(3);
    }

    @Test
    void noJobHasMoreReducesThanHiveGivesIt() {
        assertThat(new SwimJob("large", 0, 1e6, 8e6, 1).reduces()).isEqualTo(999);
    }

    /** Whatever is in proportion to what, all bytes are there again. */
    @Test
    void theJobMovesTheBytesOfItsLine() throws IOException {
        for (SwimJob job : TenJobs.jobs(directory)) {
            JobSpec spec = job.on(JobSpec.usual());
            double mapped = spec.megabytes() * spec.program().mapOutput();
            if (job.reduces() > 0) {
                assertThat(mapped).isCloseTo(job.shuffleMegabytes(), NEARLY);
                assertThat(mapped * spec.program().reduceOutput())
                        .isCloseTo(job.outputMegabytes(), NEARLY);
            } else {
                assertThat(mapped).isCloseTo(job.outputMegabytes(), NEARLY);
            }
        }
    }
}
