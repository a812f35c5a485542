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
package org.clonehadoop.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clonehadoop.command.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines as AppMasters write them. */
class ShadowCommandTest {
    private static final String SPECULATOR =
            " INFO [CloneSpeculator] org.apache.hadoop.clone.speculate.CloneSpeculator: shadow: ";
    private static final String ATTEMPT =
            " INFO [AsyncDispatcher event handler]"
                    + " org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl: ";

    private static final List<String> LOG =
            List.of(
                    "2026-11-24 10:00:00,000"
                            + SPECULATOR
                            + "NONE attempt_1_0001_m_000002_0: no gain;"
                            + " would end in 9.0 s by itself, 8.0 s as a clone, 12.0 s from zero",
                    "2026-11-24 10:00:01,500"
                            + SPECULATOR
                            + "CLONE attempt_1_0001_m_000000_0: clone"
                            + " is sooner; would end in 100.0 s by itself, 20.0 s as a clone, 60.0 s"
                            + " from zero; gains 80.0 s",
                    "2026-11-24 10:00:05,000"
                            + SPECULATOR
                            + "CLONE attempt_1_0001_m_000000_0: clone"
                            + " is sooner; would end in 1.0 s by itself, 0.5 s as a clone, 60.0 s"
                            + " from zero; gains 0.5 s",
                    "2026-11-24 10:00:10,000"
                            + SPECULATOR
                            + "NEW attempt_1_0001_m_000001_0: not"
                            + " cloneable (it isn't reading records now); would end in unlimited"
                            + " time by itself, unlimited time as a clone, 30.0 s from zero; gains"
                            + " unlimited time",
                    "2026-11-24 10:00:30,000"
                            + ATTEMPT
                            + "attempt_1_0001_m_000001_0 TaskAttempt"
                            + " Transitioned from RUNNING to SUCCESS_FINISHING_CONTAINER",
                    "2026-11-24 10:01:31,500"
                            + ATTEMPT
                            + "attempt_1_0001_m_000000_0 TaskAttempt"
                            + " Transitioned from COMMIT_PENDING to SUCCESS_FINISHING_CONTAINER",
                    "2026-11-24 10:01:33,000"
                            + ATTEMPT
                            + "attempt_1_0001_m_000000_0 TaskAttempt"
                            + " Transitioned from SUCCESS_FINISHING_CONTAINER to SUCCEEDED",
                    "2026-11-24 11:00:00,000"
                            + SPECULATOR
                            + "CLONE attempt_1_0002_r_000000_0: clone"
                            + " is sooner; would end in 10.0 s by itself, 4.0 s as a clone, 20.0 s"
                            + " from zero; gains 6.0 s",
                    "");

    @Test
    void whatWouldHaveBeenDoneFirstCounts() {
        ShadowLog log = ShadowLog.read(LOG.stream());
        assertThat(log.wishes().keySet())
                .containsExactly(
                        "attempt_1_0001_m_000000_0",
                        "attempt_1_0001_m_000001_0",
                        "attempt_1_0002_r_000000_0");
        ShadowLog.Wish first = log.wishes().get("attempt_1_0001_m_000000_0");
        assertThat(first.outcome()).isEqualTo("CLONE");
        assertThat(first.aloneSeconds()).isEqualTo(100);
        assertThat(first.insteadSeconds()).isEqualTo(20);
        assertThat(log.wishes().get("attempt_1_0001_m_000001_0").insteadSeconds()).isEqualTo(30);
        assertThat(log.reasons()).isEqualTo(Map.of("no gain", 1L));
    }

    /**
     * The first attempt ended 90 s after its decision, when its clone would have been done for 70.
     */
    @Test
    void gainsAreEstimatedAndSeenByHindsight() {
        List<ShadowGain> gains = ShadowGain.of(ShadowLog.read(LOG.stream()));
        assertThat(gains).extracting(ShadowGain::job).containsExactly("job_1_0001", "job_1_0002");
        ShadowGain one = gains.get(0);
        assertThat(one.clones()).isEqualTo(1);
        assertThat(one.restarts()).isEqualTo(1);
        assertThat(one.estimatedSeconds()).isCloseTo(80, within(1e-9));
        assertThat(one.standingStill()).isEqualTo(1);
        assertThat(one.hindsightSeconds()).isCloseTo(70, within(1e-9));
        assertThat(one.largestSeconds()).isCloseTo(70, within(1e-9));
        assertThat(one.known()).isEqualTo(2);
        assertThat(gains.get(1).known()).as("it didn't end in this log").isZero();
        assertThat(gains.get(1).estimatedSeconds()).isCloseTo(6, within(1e-9));
    }

    @Test
    void filesAndDirectoriesAreRead(@TempDir Path dir) throws IOException {
        Path logs = Files.createDirectories(dir.resolve("logs/container_1"));
        Files.write(logs.resolve("syslog"), LOG);
        Files.write(logs.resolve("stdout"), new byte[] {(byte) 0xff, 0, '\n'});
        Path json = dir.resolve("gains.json");
        int exit =
                Commands.line(new ShadowCommand())
                        .execute(dir.resolve("logs").toString(), "--json", json.toString());
        assertThat(exit).isZero();
        JsonNode all = new ObjectMapper().readTree(json.toFile());
        assertThat(all.path("jobs")).hasSize(2);
        assertThat(all.at("/jobs/0/hindsight_s").asDouble()).isCloseTo(70, within(1e-9));
        assertThat(all.at("/left_alone/no gain").asLong()).isEqualTo(1);
    }

    @Test
    void theSumIsSaid() {
        ShadowLog log = ShadowLog.read(LOG.stream());
        assertThat(ShadowCommand.text(ShadowGain.of(log), log, 1))
                .contains(
                        "Logs: 1, of 2 jobs with stragglers; 2 attempts would have been cloned and 1 started again; of"
                                + " their tasks' time 86.0 s would have been gained by the"
                                + " estimates, 70.0 s by hindsight")
                .contains("Decisions to leave alone: 1, no gain")
                .doesNotContain("second attempt");
        ShadowLog none = ShadowLog.read(Stream.of());
        assertThat(ShadowCommand.text(List.of(), none, 3)).startsWith("Logs: 3, of 0 jobs");
    }

    /** Lines of a real shadow job, whose straggler stock's speculator took first. */
    @Test
    void whatStockTookIsSaid() {
        ShadowLog log =
                ShadowLog.read(
                        Stream.of(
                                "2026-11-25 09:24:07,035"
                                        + SPECULATOR
                                        + "NONE attempt_1_0003_m_000001_0: no gain; would end in"
                                        + " 66.2 s by itself, 49.8 s as a clone, 97.8 s from zero",
                                "2026-11-25 09:24:07,911 INFO [DefaultSpeculator background"
                                        + " processing] org.apache.hadoop.mapreduce.v2.app"
                                        + ".speculate.DefaultSpeculator: DefaultSpeculator"
                                        + ".addSpeculativeAttempt -- we are speculating"
                                        + " task_1_0003_m_000001"));
        assertThat(ShadowCommand.text(ShadowGain.of(log), log, 1))
                .contains(
                        "of 1 jobs with stragglers",
                        "Tasks with a second attempt by stock's speculator: 1;");
    }

    @Test
    void aLogThatIsNotThereIsSaid(@TempDir Path dir) {
        assertThat(Commands.line(new ShadowCommand()).execute(dir.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(Commands.line(new ShadowCommand()).execute()).isEqualTo(2);
    }
}
