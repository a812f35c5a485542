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

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.feed.FeedReader;
import org.clonehadoop.simulator.speculators.Kind;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Real jobs: today's rules order what was ordered then, up to a difference that was accepted.
 * docs/simulator.md says what the jobs were.
 */
class CorpusTest {
    private static final Path FEEDS = Path.of("src/test/feeds");
    private static final int FEWEST_FEEDS = 20;
    private static final int FEWEST_ORDERS = 25;

    @Test
    void eachAcceptedDifferenceIsOfAFeedAndHasAReason() throws IOException {
        assertThat(feeds().stream().map(ReplayCommand::name).toList())
                .hasSizeGreaterThanOrEqualTo(FEWEST_FEEDS)
                .containsAll(accepted().keySet());
        assertThat(accepted())
                .allSatisfy((name, difference) -> assertThat(difference.because()).isNotBlank());
    }

    /** Feeds of old rules differ soon: without new ones hardly an order would be compared. */
    @Test
    void manyOrdersAreCompared() throws IOException {
        int alike = 0;
        for (Path feed : feeds()) {
            alike += Replay.of(FeedReader.read(feed), Kind.OURS, Map.of()).alike();
        }
        assertThat(alike).isGreaterThanOrEqualTo(FEWEST_ORDERS);
    }

    @TestFactory
    Stream<DynamicTest> todaysRulesOrderWhatWasRecorded() throws IOException {
        Map<String, Difference> accepted = accepted();
        return feeds().stream()
                .map(
                        feed ->
                                DynamicTest.dynamicTest(
                                        ReplayCommand.name(feed), () -> replay(feed, accepted)));
    }

    private static List<Path> feeds() throws IOException {
        try (Stream<Path> files = Files.list(FEEDS)) {
            return files.filter(file -> file.toString().endsWith(".gz")).sorted().toList();
        }
    }

    private static Map<String, Difference> accepted() throws IOException {
        return new ObjectMapper()
                .readValue(FEEDS.resolve("differences.json").toFile(), new TypeReference<>() {});
    }

    private static void replay(Path feed, Map<String, Difference> accepted) throws IOException {
        Replayed replayed = Replay.of(FeedReader.read(feed), Kind.OURS, Map.of());

        assertThat(replayed.firstDifference())
                .isEqualTo(
                        Optional.ofNullable(accepted.get(ReplayCommand.name(feed)))
                                .map(difference -> difference.withReason("")));
    }
}
