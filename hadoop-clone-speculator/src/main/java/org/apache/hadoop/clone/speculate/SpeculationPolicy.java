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
     * What a second attempt competes with.
     *
     * @param free how many more tasks may have a second attempt now
     * @param backed for how many more stragglers those that have ended speak: one each. In a small
     *     job the first to end are the quick ones, which had a host for themselves or few records;
     *     that all others are slow beside them says as much of those that ended
     * @param running tasks of the kind that run
     * @param waiting requests for containers of the kind, for tasks without an attempt, that
     *     haven't been granted
     * @param resting attempts from zero aren't started now. A clone needn't rest: stock's rest is
     *     there so that estimates come to rest after a backup, and a clone, which goes on where its
     *     original is, changes none of them; but it is worth less with every second
     */
    record Room(int free, int backed, int running, int waiting, boolean resting) {

        /**
         * Whether a straggler will still run when all that wait now are done, one wave of them
         * after another: before that, a container does more for the job by starting one of those.
         * (Stock starts no backup at all while anybody waits, so that a job of several waves has
         * none but in its last.)
         */
        boolean outlastsWaiting(Candidate straggler) {
            if (waiting <= 0) {
                return true;
            }
            double waves = Math.ceil((double) waiting / Math.max(1, running));
            return straggler.score().remainingMillis() > waves * straggler.score().newEndMillis();
        }
    }

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
        int backed = room.backed();
        for (Candidate candidate : best) {
            Decision wanted = candidate.decide();
            if (wanted.outcome() != Outcome.NONE) {
                if (!room.outlastsWaiting(candidate)) {
                    wanted = instead(wanted, Reason.OTHERS_WAIT);
                } else if (room.resting() && wanted.outcome() == Outcome.NEW) {
                    wanted = instead(wanted, Reason.RESTING);
                } else if (free <= 0) {
                    wanted = instead(wanted, Reason.CAP_REACHED);
                } else if (candidate.steady() && backed <= 0) {
                    wanted = instead(wanted, Reason.FEW_HAVE_ENDED);
                } else {
                    free--;
                    backed--;
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
