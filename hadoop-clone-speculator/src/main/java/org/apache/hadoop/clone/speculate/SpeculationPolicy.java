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

    /**
     * Of a second in a container for which a first attempt waits: as long as all are busy, what
     * takes more of their time than it saves makes the job later.
     */
    private static final double PRICE_WHILE_OTHERS_WAIT = 1;

    /**
     * What a second attempt competes with.
     *
     * @param free how many more tasks may have a second attempt now
     * @param waiting requests for containers of the kind, for tasks without an attempt, that
     *     haven't been granted
     * @param price of a second in a container, in seconds that must be saved
     */
    record Room(int free, int waiting, double price) {}

    private SpeculationPolicy() {}

    /** A decision for each candidate, the one that gains most first. */
    static List<Decision> decide(List<Candidate> candidates, Room room) {
        List<Candidate> best = new ArrayList<>(candidates);
        best.sort(
                Comparator.comparingDouble((Candidate one) -> one.attainable().gainMillis())
                        .reversed()
                        .thenComparing(Candidate::attempt));
        List<Decision> decisions = new ArrayList<>();
        int free = room.free();
        for (Candidate candidate : best) {
            Decision wanted = candidate.decide(room.price());
            if (wanted.outcome() != Outcome.NONE) {
                if (room.waiting() > 0
                        && !candidate.attainable().isWorth(PRICE_WHILE_OTHERS_WAIT)) {
                    wanted = instead(wanted, Reason.OTHERS_WAIT);
                } else if (free <= 0) {
                    wanted = instead(wanted, Reason.CAP_REACHED);
                } else {
                    free--;
                }
            }
            decisions.add(wanted);
        }
        return decisions;
    }

    private static Decision instead(Decision wanted, Reason reason) {
        return new Decision(
                wanted.attempt(), Outcome.NONE, reason, wanted.score(), Optional.empty());
    }
}
