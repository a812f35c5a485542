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
package org.clonehadoop.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.clonehadoop.benchmarks.feed.FeedLine;
import org.clonehadoop.benchmarks.feed.FeedReader;
import org.clonehadoop.simulator.speculators.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplayTest {
    private static final int MAPS = 6;

    @TempDir Path scratch;

    /** All maps but the last take 30 s; that one stops at 70 %. */
    private List<FeedLine> recordStraggler(RecordedJob job, Path feed) throws IOException {
        for (int map = 0; map < MAPS; map++) {
            job.start(map);
        }
        for (int second = 1; second <= 120; second++) {
            job.pass(1000);
            for (int map = 0; map < MAPS && second % 3 == 0; map++) {
                if (second == 30 && map < MAPS - 1) {
                    job.succeed(map);
                } else if (second < 30) {
                    job.report(map, Math.min(0.7, second / 30.0));
                }
            }
            job.look();
        }
        job.end();
        return FeedReader.read(feed);
    }

    private List<FeedLine> recordClone() throws IOException {
        Path feed = scratch.resolve("clone.gz");
        RecordedJob job = new RecordedJob(MAPS, feed);
        List<FeedLine> lines = recordStraggler(job, feed);
        assertThat(job.cloned).hasSize(1);
        return lines;
    }

    @Test
    void whatWasCloneIsClonedAgainAtTheSameMoment() throws IOException {
        Replayed replayed = Replay.of(recordClone(), Kind.OURS, Map.of());

        assertThat(replayed.divergedAtSeconds()).isEmpty();
        assertThat(replayed.replayed())
                .singleElement()
                .satisfies(action -> assertThat(action.kind()).isEqualTo(Outcome.CLONE))
                .satisfies(action -> assertThat(action.target()).isEqualTo("m_000005_0"));
    }

    @Test
    void whatWasBegunAgainIsBegunAgainAtTheSameMoment() throws IOException {
        Path feed = scratch.resolve("new.gz");
        RecordedJob job = new RecordedJob(MAPS, feed);
        job.obstacle = Optional.of("it holds a connection");
        List<FeedLine> lines = recordStraggler(job, feed);
        assertThat(job.started).hasSize(1);

        Replayed replayed = Replay.of(lines, Kind.OURS, Map.of());

        assertThat(replayed.divergedAtSeconds()).isEmpty();
        assertThat(replayed.replayed())
                .singleElement()
                .satisfies(action -> assertThat(action.kind()).isEqualTo(Outcome.NEW));
    }

    @Test
    void soIsWhatWasBegunAgainOnAHostThatWasSlowToAnswer() throws IOException {
        Path feed = scratch.resolve("slow.gz");
        RecordedJob job = new RecordedJob(MAPS, feed);
        job.leastMillis = 60_000;
        List<FeedLine> lines = recordStraggler(job, feed);
        assertThat(job.cloned).isEmpty();
        assertThat(job.started).hasSize(1);

        assertThat(Replay.of(lines, Kind.OURS, Map.of()).divergedAtSeconds()).isEmpty();
    }

    @Test
    void aChangedRuleDivergesAtTheFirstActionItChanges() throws IOException {
        List<FeedLine> lines = recordClone();
        long recordedMillis = Replay.of(lines, Kind.OURS, Map.of()).recorded().get(0).afterMillis();

        Replayed replayed =
                Replay.of(
                        lines,
                        Kind.OURS,
                        Map.of(
                                MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, "0",
                                MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, "0",
                                MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, "0"));

        assertThat(replayed.replayed()).isEmpty();
        assertThat(replayed.divergedAtSeconds()).hasValue(recordedMillis / 1e3);
    }

    /** What comes after the sooner of two orders that differ isn't exact. */
    @Test
    void aDifferenceIsWhatIsOrderedAtItsMoment() {
        Action first = new Action(1_000, Outcome.CLONE, "m_000001_0");
        Action sooner = new Action(2_000, Outcome.NEW, "m_000002");
        Action later = new Action(3_500, Outcome.CLONE, "m_000002_0");

        assertThat(
                        new Replayed(List.of(first, later), List.of(first, sooner, later))
                                .firstDifference())
                .hasValue(new Difference("nothing", "2.000 s NEW m_000002", ""));
        assertThat(new Replayed(List.of(first, sooner), List.of(first)).firstDifference())
                .hasValue(new Difference("2.000 s NEW m_000002", "nothing", ""));
        assertThat(new Replayed(List.of(first), List.of(first)).firstDifference()).isEmpty();
        assertThat(new Replayed(List.of(first), List.of(first)).alike()).isEqualTo(1);
        assertThat(new Replayed(List.of(first, later), List.of(first, sooner)).alike())
                .isEqualTo(1);
    }

    @Test
    void anAcceptedDifferenceKeepsItsReason() throws IOException {
        Path feed = scratch.resolve("clone.gz");
        recordClone();
        Path accepted = scratch.resolve("differences.json");
        String[] arguments = {
            feed.toString(),
            "--accept",
            accepted.toString(),
            "-D",
            MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS + "=0",
            "-D",
            MRJobConfig.SPECULATIVECAP_TOTAL_TASKS + "=0",
            "-D",
            MRJobConfig.SPECULATIVECAP_RUNNING_TASKS + "=0"
        };

        assertThat(new CommandLine(new ReplayCommand()).execute(arguments)).isZero();
        assertThat(Files.readString(accepted)).contains("\"replayed\" : \"nothing\"");
        Files.writeString(
                accepted,
                Files.readString(accepted)
                        .replace("\"because\" : \"\"", "\"because\" : \"of a cap\""));
        assertThat(new CommandLine(new ReplayCommand()).execute(arguments)).isZero();

        assertThat(Files.readString(accepted)).contains("\"because\" : \"of a cap\"");
    }

    @Test
    void anotherSpeculatorCanBeToldTheSame() throws IOException {
        Replayed replayed = Replay.of(recordClone(), Kind.STOCK, Map.of());

        // Again and again: the feed tells of no attempt that was begun for it.
        assertThat(replayed.replayed())
                .isNotEmpty()
                .allSatisfy(action -> assertThat(action.kind()).isEqualTo(Outcome.NEW))
                .allSatisfy(action -> assertThat(action.target()).isEqualTo("m_000005"));
    }

    @Test
    void whatIsNoFeedIsRefusedWithTheReason() throws IOException {
        Path other = scratch.resolve("other");
        Files.writeString(other, "{}");

        assertThatThrownBy(() -> FeedReader.read(other)).isInstanceOf(IOException.class);
    }
}
