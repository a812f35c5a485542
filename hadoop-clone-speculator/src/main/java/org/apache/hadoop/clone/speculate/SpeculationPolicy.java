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
package org.apache.hadoop.clone.speculate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.clone.score.Outcome;

/** Which of the stragglers get a second attempt: those that gain most, as long as there is room. */
final class SpeculationPolicy {
    private record Ranked(Candidate candidate, double gainMillis) {}

    private SpeculationPolicy() {}

    /**
     * A decision for each candidate, the one that gains most first.
     *
     * @param room for so many more tasks with a second attempt
     * @param whyNoRoom beside Hadoop's own caps, where there is none
     * @param price of a second in a container, in seconds that must be saved
     */
    static List<Decision> decide(
            List<Candidate> candidates, int room, Optional<String> whyNoRoom, double price) {
        List<Ranked> best = new ArrayList<>(candidates.size());
        candidates.forEach(one -> best.add(new Ranked(one, one.attainable().gainMillis())));
        best.sort(
                Comparator.comparingDouble(Ranked::gainMillis)
                        .reversed()
                        .thenComparing(one -> one.candidate().attempt()));
        List<Decision> decisions = new ArrayList<>(best.size());
        int free = whyNoRoom.isPresent() ? 0 : room;
        for (Ranked one : best) {
            Decision wanted = one.candidate().decide(price);
            if (wanted.outcome() != Outcome.NONE) {
                if (free <= 0) {
                    wanted = capped(wanted, whyNoRoom);
                } else {
                    free--;
                }
            }
            decisions.add(wanted);
        }
        return decisions;
    }

    private static Decision capped(Decision wanted, Optional<String> why) {
        return new Decision(
                wanted.attempt(), Outcome.NONE, Reason.CAP_REACHED, wanted.score(), why);
    }
}
