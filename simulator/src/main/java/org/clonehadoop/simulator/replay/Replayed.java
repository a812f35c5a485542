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
import java.util.OptionalDouble;

/**
 * What was ordered in a job, and what is ordered when it is told the same again.
 *
 * <p>Up to the first difference that is exact. From there on the feed tells what happened without
 * the one, or after the other.
 */
public record Replayed(List<Action> recorded, List<Action> replayed) {

    /** When the first action differed, in seconds since the feed's beginning; empty if none did. */
    public OptionalDouble divergedAtSeconds() {
        for (int i = 0; i < Math.max(recorded.size(), replayed.size()); i++) {
            long recordedAt = millis(recorded, i);
            long replayedAt = millis(replayed, i);
            if (recordedAt != replayedAt || !recorded.get(i).equals(replayed.get(i))) {
                return OptionalDouble.of(Math.min(recordedAt, replayedAt) / 1e3);
            }
        }
        return OptionalDouble.empty();
    }

    private static long millis(List<Action> actions, int index) {
        return index < actions.size() ? actions.get(index).afterMillis() : Long.MAX_VALUE;
    }
}
