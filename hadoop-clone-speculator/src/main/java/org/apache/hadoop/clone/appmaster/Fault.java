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
package org.apache.hadoop.clone.appmaster;

/** Whose affair it is that a clone came to nothing: what follows for others depends on it. */
enum Fault {
    /** Nobody's: somebody ended in time or was killed, or it isn't worth it any more. */
    NOBODY,
    /** That of its original, or of the host below it: says nothing about clones of others. */
    ORIGINAL,
    /** That of what makes clones, as the tool, the network or the clone's node. */
    CLONING;

    /** Of what happened to a clone in that state, and left it without a clone. */
    static Fault of(CloneState state, CloneEvent event) {
        return switch (event) {
            case REFUSED -> ORIGINAL;
            // Its agent, and what it starts for an offer, are on a host that may starve.
            case TIME_OUT ->
                    state == CloneState.ASKED || state == CloneState.OFFERING ? ORIGINAL : CLONING;
            case FAILED, CLONE_FAILED -> CLONING;
            default -> NOBODY;
        };
    }
}
