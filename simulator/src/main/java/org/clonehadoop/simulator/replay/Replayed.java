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

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What was ordered in a job, and what is ordered when it is told the same again.
 *
 * <p>Up to the first difference that is exact. From there on the feed tells what happened without
 * the one, or after the other.
 */
public record Replayed(List<Action> recorded, List<Action> replayed) {

    /** When the first action differed, in seconds since the feed's beginning; empty if none did. */
    public OptionalDouble divergedAtSeconds() {
        return firstDiffering().stream().mapToDouble(i -> millis(i) / 1e3).findFirst();
    }

    /** Without a reason; empty if nothing differed. */
    Optional<Difference> firstDifference() {
        return firstDiffering().stream()
                .mapToObj(i -> new Difference(at(recorded, i), at(replayed, i), ""))
                .findFirst();
    }

    /** How many orders come before the first difference: so many were compared. */
    public int alike() {
        return firstDiffering().orElse(recorded.size());
    }

    private OptionalInt firstDiffering() {
        return IntStream.range(0, Math.max(recorded.size(), replayed.size()))
                .filter(this::differs)
                .findFirst();
    }

    /** Of the sooner of both actions. */
    private long millis(int index) {
        return Math.min(millis(recorded, index), millis(replayed, index));
    }

    private boolean differs(int index) {
        return millis(recorded, index) != millis(replayed, index)
                || !recorded.get(index).equals(replayed.get(index));
    }

    private String at(List<Action> actions, int index) {
        return millis(actions, index) == millis(index)
                ? actions.get(index).toString()
                : Difference.NOTHING;
    }

    private static long millis(List<Action> actions, int index) {
        return index < actions.size() ? actions.get(index).afterMillis() : Long.MAX_VALUE;
    }
}
