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
package org.clonehadoop.selection.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static final Server IDLE = new Server(0, 4, 0, 0, 100, false);
    private static final Server BUSY = new Server(6, 4, 2, 0, 100, false);
    private static final Server SUSPECT = new Server(2, 4, 0, 0, 100, true);

    private static Verdict decide(Policy policy, State state, Server first, Server second) {
        return new Rules(policy, Cloning.IDLE, state).decide(true, false, true, first, second);
    }

    @Test
    void decidesEachCaseOfTheTableAsItSays() throws IOException {
        String[] lines =
                table().lines().filter(line -> !line.startsWith("#")).toArray(String[]::new);
        assertThat(lines).hasSize(10_000);
        for (String line : lines) {
            long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
            Verdict verdict = DecideTable.decide(numbers);
            int first = verdict.swapped() ? 1 : 0;
            assertThat(
                            new long[] {
                                first, verdict.cloned() ? 1 - first : -1, verdict.reason().ordinal()
                            })
                    .as(line)
                    .containsExactly(numbers[18], numbers[19], numbers[20]);
        }
    }

    @Test
    void theTableIsWhatItsGeneratorWrites() throws IOException {
        assertThat(table()).isEqualTo(DecideTable.text());
    }

    @Test
    void theTableHasEnoughOfEachReason() throws IOException {
        Map<String, Long> reasons =
                table().lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(reasons).hasSize(Reason.values().length);
        assertThat(reasons.values()).allMatch(count -> count >= 200);
    }

    private static String table() throws IOException {
        try (InputStream table = RulesTest.class.getResourceAsStream(DecideTable.FILE)) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void clonesWhenBothAreIdle() {
        assertThat(decide(Policy.RANDOM, State.COUNTED, IDLE, IDLE))
                .isEqualTo(new Verdict(false, Reason.CLONED));
    }

    @Test
    void netCloneSendsToTheFirstAndRackSchedToTheShorterQueue() {
        assertThat(decide(Policy.RANDOM, State.AGENT, BUSY, IDLE))
                .isEqualTo(new Verdict(false, Reason.BUSY));
        assertThat(decide(Policy.SHORTER_QUEUE, State.AGENT, BUSY, IDLE))
                .isEqualTo(new Verdict(true, Reason.BUSY));
    }

    @Test
    void comparesCountsByWorkers() {
        Server large = new Server(14, 15, -1, 0, 100, false);
        Server small = new Server(8, 8, -1, 0, 100, false);
        assertThat(decide(Policy.SHORTER_QUEUE, State.COUNTED, small, large).swapped()).isTrue();
        assertThat(decide(Policy.SHORTER_QUEUE, State.COUNTED, large, small).swapped()).isFalse();
    }

    @Test
    void forgetsWhatWasToldTooLongAgo() {
        Server fresh = new Server(0, 4, 3, 1000, 100, false);
        Server stale = new Server(0, 4, 3, 1001, 100, false);
        assertThat(decide(Policy.RANDOM, State.AGENT, IDLE, fresh).reason()).isEqualTo(Reason.BUSY);
        assertThat(decide(Policy.RANDOM, State.AGENT, IDLE, stale).cloned()).isTrue();
    }

    @Test
    void suspectsGetNothingButProbes() {
        Rules rules = new Rules(Policy.SHORTER_QUEUE, Cloning.IDLE, State.COUNTED);
        assertThat(rules.decide(true, false, true, SUSPECT, BUSY))
                .isEqualTo(new Verdict(true, Reason.SUSPECT));
        assertThat(rules.decide(true, true, false, SUSPECT, BUSY))
                .isEqualTo(new Verdict(true, Reason.CLONED));
        assertThat(rules.decide(false, true, true, SUSPECT, BUSY))
                .isEqualTo(new Verdict(true, Reason.WRITE));
        assertThat(rules.decide(true, true, true, SUSPECT, SUSPECT))
                .isEqualTo(new Verdict(false, Reason.SUSPECT));
    }

    @Test
    void neverClonesWritesNorBeyondTheBudget() {
        Rules rules = new Rules(Policy.RANDOM, Cloning.ALWAYS, State.COUNTED);
        assertThat(rules.decide(false, true, true, IDLE, IDLE).reason()).isEqualTo(Reason.WRITE);
        assertThat(
                        new Rules(Policy.RANDOM, Cloning.IDLE, State.COUNTED)
                                .decide(true, true, false, IDLE, IDLE)
                                .reason())
                .isEqualTo(Reason.NO_BUDGET);
    }
}
