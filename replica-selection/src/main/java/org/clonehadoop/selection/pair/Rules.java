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

/** What a service's operator has asked for. */
public record Rules(Policy policy, Cloning cloning, State state) {
    /**
     * A request comes.
     *
     * @param read whether it is proven to be a read
     * @param probe whether this one may probe a suspect by a clone
     * @param budget whether the service's budget has room for a clone
     * @param first drawn at random, as is second
     */
    public Verdict decide(
            boolean read, boolean probe, boolean budget, Server first, Server second) {
        boolean swapped =
                first.suspect() != second.suspect()
                        ? first.suspect()
                        : !first.suspect()
                                && policy == Policy.SHORTER_QUEUE
                                && second.shorterThan(first, state);
        return new Verdict(swapped, reason(read, probe, budget, first, second));
    }

    private Reason reason(
            boolean read, boolean probe, boolean budget, Server first, Server second) {
        if (first.suspect() && second.suspect()) {
            return Reason.SUSPECT;
        }
        if (!read) {
            return Reason.WRITE;
        }
        if (cloning == Cloning.NEVER) {
            return Reason.NEVER;
        }
        if (first.suspect() || second.suspect()) {
            return probe ? Reason.CLONED : Reason.SUSPECT;
        }
        if (cloning == Cloning.ALWAYS) {
            return Reason.CLONED;
        }
        if (!first.idle(state) || !second.idle(state)) {
            return Reason.BUSY;
        }
        return budget ? Reason.CLONED : Reason.NO_BUDGET;
    }
}
