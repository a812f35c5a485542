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

/**
 * What a switch knows of a server.
 *
 * @param outstanding requests that it hasn't answered
 * @param workers requests that it works on at a time; 1 or more
 * @param told the queue length that its agent told last, {@link #NEVER} if none did
 * @param age of what was told
 * @param answerTime average of its answers, in the same unit as age
 * @param suspect whether it has requests, but gave no answer for too long
 */
public record Server(
        long outstanding, long workers, long told, long age, long answerTime, boolean suspect) {
    public static final long NEVER = -1;

    /**
     * What was told is forgotten after so many answer times: else a server that is avoided for
     * being busy stays busy for ever.
     */
    private static final long FRESH = 10;

    boolean tells(State state) {
        return state == State.AGENT && told >= 0 && age <= FRESH * answerTime;
    }

    boolean idle(State state) {
        return tells(state) ? told == 0 : outstanding < workers;
    }

    /** Whether fewer wait here than there. */
    boolean shorterThan(Server other, State state) {
        return tells(state) && other.tells(state)
                ? told < other.told
                : outstanding * other.workers < other.outstanding * workers;
    }
}
