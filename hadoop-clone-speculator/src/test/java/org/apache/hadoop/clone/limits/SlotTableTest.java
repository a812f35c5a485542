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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private static final long NOW = 1_000_000;
    private static final long DEAD = 180_000;
    private static final SlotLimit CAP = new SlotLimit("queue eng", 3);

    private static List<String> free(SlotTable.Held... files) {
        return SlotTable.free(List.of(files), CAP, NOW, DEAD, new Random(1)).stream()
                .map(SlotName::toString)
                .sorted()
                .toList();
    }

    private static SlotTable.Held held(String file, long ago) {
        return new SlotTable.Held(file, NOW - ago);
    }

    @Test
    void allAreFreeWhereNoneIsHeld() {
        assertThat(free())
                .containsExactly("slot-0-0-queue+eng", "slot-1-0-queue+eng", "slot-2-0-queue+eng");
    }

    @Test
    void heldOnesAreNot() {
        assertThat(free(held("slot-1-0-queue+eng", 10), held("slot-2-5-queue+eng", DEAD)))
                .containsExactly("slot-0-0-queue+eng");
    }

    /** The next generation's file can only be made by one of those who find it dead. */
    @Test
    void aDeadHoldersSlotIsFreeInItsNextGeneration() {
        assertThat(
                        free(
                                held("slot-0-0-queue+eng", 0),
                                held("slot-1-7-queue+eng", DEAD + 1),
                                held("slot-2-0-queue+eng", 0)))
                .containsExactly("slot-1-8-queue+eng");
    }

    @Test
    void theLastGenerationHoldsTheSlot() {
        assertThat(
                        free(
                                held("slot-0-0-queue+eng", DEAD + 1),
                                held("slot-0-1-queue+eng", 10),
                                held("slot-1-0-queue+eng", 10),
                                held("slot-2-10-queue+eng", DEAD + 1),
                                held("slot-2-9-queue+eng", 10)))
                .containsExactly("slot-2-11-queue+eng");
    }

    @Test
    void otherFilesAreNothing() {
        assertThat(
                        free(
                                held("slot-0-0-cluster", 0),
                                held("slot-1-0-queue+engine", 0),
                                held("slot-2-0-user+eng", 0),
                                held("slot-x-0-queue+eng", 0),
                                held("slot-0-99999999999999999999-queue+eng", 0),
                                held("README", 0)))
                .hasSize(3);
    }

    @Test
    void aCapThatWasLoweredHasNoMoreSlots() {
        assertThat(free(held("slot-7-0-queue+eng", 0))).hasSize(3);
        assertThat(SlotTable.free(List.of(), new SlotLimit("cluster", 0), NOW, DEAD, new Random()))
                .isEmpty();
    }

    @Test
    void eachScopeHasFilesOfItsOwnWhateverItIsCalled() {
        Stream<String> names =
                Stream.of("cluster", "queue cluster", "user a/b", "user a%2Fb", "user ../x")
                        .map(scope -> new SlotName(scope, 0, 0).toString());
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> !name.contains("/"));
    }

    @Test
    void thoseWhoLookAtTheSameTimeTryDifferentOnes() {
        SlotLimit cap = new SlotLimit("cluster", 50);
        assertThat(
                        IntStream.range(0, 20)
                                .mapToObj(
                                        seed ->
                                                SlotTable.free(
                                                                List.of(),
                                                                cap,
                                                                NOW,
                                                                DEAD,
                                                                new Random(seed))
                                                        .get(0))
                                .distinct()
                                .count())
                .isGreaterThan(10);
    }
}
