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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpillRegistryTest {
    private static final int WORLDS = 2000;
    private static final int WILD_STEPS = 150;
    private static final int CALM_STEPS = 20_000;

    /** Nothing for reduce 1. */
    private static final long[] BYTES = {10, 0, 20};

    private final SpillRegistry registry = new SpillRegistry();

    private static TaskAttemptID attempt(int number) {
        return new TaskAttemptID("1700000000000", 1, TaskType.MAP, 0, number);
    }

    private static String host(int attempt) {
        return "http://host" + attempt + ":13562";
    }

    private void finished(int attempt, int index, long previous, long chain) throws IOException {
        registry.finished(
                attempt(attempt),
                new SpillNotice(index, previous, chain, attempt, BYTES),
                host(attempt));
    }

    private List<String> story() {
        return registry.updates(0, 0, Integer.MAX_VALUE).stream()
                .map(u -> u.kind() + " " + u.spill() + " " + u.attempt())
                .toList();
    }

    @Test
    void tellsOfTheFirstToFinishASpill() throws IOException {
        finished(0, 0, 0, 10);
        finished(1, 0, 0, 10);
        finished(1, 1, 10, 11);
        finished(0, 1, 10, 11);
        assertThat(story()).containsExactly("AT 0 0", "AT 1 1");
    }

    @Test
    void saysHowManySpillsThereAreWhenTheMapHasSucceeded() throws IOException {
        finished(0, 0, 0, 10);
        registry.ended(attempt(0), 1, 10);
        assertThat(story()).containsExactly("AT 0 0");
        assertThat(registry.succeeded(attempt(0), 5)).isTrue();
        assertThat(story()).containsExactly("AT 0 0", "DONE 1 0");
    }

    @Test
    void mixesAnOriginalWithItsClone() throws IOException {
        finished(0, 0, 0, 10);
        finished(1, 1, 10, 11);
        registry.ended(attempt(1), 2, 11);
        assertThat(registry.succeeded(attempt(1), 5)).isTrue();
        assertThat(story()).containsExactly("AT 0 0", "AT 1 1", "DONE 2 1");
    }

    @Test
    void knowsAnEmptyMap() {
        registry.ended(attempt(0), 0, SpillNotice.NO_CHAIN);
        assertThat(registry.succeeded(attempt(0), 5)).isTrue();
        assertThat(story()).containsExactly("DONE 0 0");
    }

    @Test
    void wantsAMapAgainThatSucceededWithoutASpillsEnd() throws IOException {
        finished(0, 0, 0, 10);
        assertThat(registry.succeeded(attempt(0), 5)).isFalse();
        registry.ended(attempt(0), 2, 11); // of a spill that was never published
        assertThat(registry.succeeded(attempt(0), 5)).isFalse();
    }

    @Test
    void voidsWhatTheSuccessfulAttemptHasNotPutOut() throws IOException {
        finished(0, 0, 0, 10);
        finished(0, 1, 10, 11);
        finished(1, 0, 0, 10);
        finished(1, 1, 10, 21);
        finished(0, 2, 11, 12);
        registry.ended(attempt(1), 2, 21);
        assertThat(registry.succeeded(attempt(1), 5)).isTrue();
        assertThat(story())
                .as("who begins to read now isn't sent to what is void")
                .containsExactly(
                        "AT 0 0",
                        "VOID 1 0",
                        "VOID 1 0",
                        "VOID 1 0",
                        "AT 1 1",
                        "AT 0 1",
                        "DONE 2 1");
    }

    @Test
    void turnsToTheLivingWhenTheFirstHasFailed() throws IOException {
        finished(0, 0, 0, 10);
        registry.failed(attempt(0));
        finished(1, 0, 0, 10);
        assertThat(story()).containsExactly("AT 0 0", "AT 0 1");
    }

    /** Of the other's end nobody tells: its host may be dead. */
    @Test
    void turnsToTheOneThatHasSucceeded() throws IOException {
        finished(0, 0, 0, 10);
        finished(0, 1, 10, 11);
        finished(1, 0, 0, 10);
        finished(1, 1, 10, 11);
        finished(1, 2, 11, 12);
        registry.ended(attempt(1), 3, 12);
        assertThat(registry.succeeded(attempt(1), 5)).isTrue();
        assertThat(story())
                .containsExactly("AT 0 0", "AT 1 0", "AT 2 1", "AT 0 1", "AT 1 1", "DONE 3 1");
    }

    @Test
    void givesUpAllPlacesWithALostOutput() throws IOException {
        finished(0, 0, 0, 10);
        registry.ended(attempt(0), 1, 10);
        registry.succeeded(attempt(0), 5);
        registry.failed(attempt(0));
        finished(1, 0, 0, 10);
        registry.ended(attempt(1), 1, 10);
        registry.succeeded(attempt(1), 5);
        assertThat(story()).containsExactly("AT 0 0", "DONE 1 0", "LOST 0 0", "AT 0 1", "DONE 1 1");
    }

    @Test
    void findsOutWhoseOutputIsLostWithAnothers() throws IOException {
        finished(0, 0, 0, 10);
        finished(1, 1, 10, 11);
        registry.ended(attempt(1), 2, 11);
        registry.succeeded(attempt(1), 5);
        assertThat(registry.lost(attempt(2))).isEmpty();
        assertThat(registry.lost(attempt(0))).contains(attempt(1));
    }

    @Test
    void turnsToAnotherPlaceOfWhatIsLost() throws IOException {
        finished(0, 0, 0, 10);
        finished(2, 0, 0, 10);
        finished(1, 1, 10, 11);
        registry.ended(attempt(1), 2, 11);
        registry.succeeded(attempt(1), 5);
        assertThat(registry.lost(attempt(0))).isEmpty();
        assertThat(story()).containsExactly("AT 0 0", "AT 1 1", "DONE 2 1", "AT 0 2");
        assertThat(registry.lost(attempt(2))).contains(attempt(1));
    }

    @Test
    void takesNoSuccessOfWhichABeginningIsLost() throws IOException {
        finished(0, 0, 0, 10);
        finished(1, 1, 10, 11);
        assertThat(registry.lost(attempt(0))).isEmpty();
        registry.ended(attempt(1), 2, 11);
        assertThat(registry.succeeded(attempt(1), 5)).isFalse();
        finished(2, 0, 0, 10);
        assertThat(registry.succeeded(attempt(1), 5)).isTrue();
        assertThat(story()).containsExactly("AT 0 0", "AT 1 1", "AT 0 2", "DONE 2 1");
    }

    @Test
    void refusesNoticesThatCantBeTrue() throws IOException {
        finished(0, 0, 0, 10);
        assertThatThrownBy(() -> finished(1, 1, 0, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("contradicts");
    }

    @Test
    void takesTheSameNoticeTwice() throws IOException {
        finished(0, 0, 0, 10);
        finished(0, 0, 0, 10);
        assertThat(story()).containsExactly("AT 0 0");
    }

    @Test
    void sendsNobodyForAnEmptyPartition() throws IOException {
        finished(0, 0, 0, 10);
        for (int partition : new int[] {0, 2, 3}) {
            assertThat(registry.updates(partition, 0, 10))
                    .as("partition %s", partition)
                    .extracting(SpillUpdate::kind)
                    .containsExactly(SpillUpdate.Kind.AT);
        }
        SpillUpdate empty = registry.updates(1, 0, 10).get(0);
        assertThat(empty.kind()).isEqualTo(SpillUpdate.Kind.EMPTY);
        assertThat(empty.host()).isEmpty();
    }

    @Test
    void givesUpdatesInParts() throws IOException {
        finished(0, 0, 0, 10);
        finished(0, 1, 10, 11);
        assertThat(registry.updates(0, 1, 10)).extracting(SpillUpdate::spill).containsExactly(1);
        assertThat(registry.updates(0, 0, 1)).extracting(SpillUpdate::spill).containsExactly(0);
        assertThat(registry.updates(0, 2, 10)).isEmpty();
    }

    /** Every reduce ends with the whole output of one attempt, whatever happens on the way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesAndDoublesNothing(boolean deterministic) throws IOException {
        int restarts = 0;
        for (int seed = 0; seed < WORLDS; seed++) {
            SpillWorld world = new SpillWorld(seed, deterministic, 3);
            for (int step = 0; step < WILD_STEPS; step++) {
                world.step(false);
            }
            for (int step = 0; step < CALM_STEPS && !world.finished(); step++) {
                world.step(true);
            }
            assertThat(world.finished()).as("world %s comes to its end", seed).isTrue();
            for (SpillWorld.Reduce reduce : world.reduces()) {
                assertThat(world.outputs(reduce)).as("world %s", seed).contains(reduce.result());
                assertThat(reduce.restarts)
                        .as("world %s: once for each change of the way", seed)
                        .isLessThanOrEqualTo(world.changesOfWay);
                restarts += reduce.restarts;
            }
        }
        if (deterministic) {
            assertThat(restarts).isZero();
        } else {
            assertThat(restarts).isPositive();
        }
    }
}
