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
package org.clonehadoop.simulator.requests.rpc;

import org.clonehadoop.selection.pair.Cloning;
import org.clonehadoop.selection.pair.Policy;
import org.clonehadoop.selection.pair.Rules;
import org.clonehadoop.selection.pair.State;

/** Who clones, and by which rules. */
public enum RpcScheme {
    BASELINE("baseline", Policy.RANDOM, Cloning.NEVER, State.AGENT),
    /** Clients clone everything; nobody drops a clone, and clients take both answers. */
    C_CLONE("C-Clone", Policy.RANDOM, Cloning.ALWAYS, State.AGENT),
    /** A coordinator with one processor clones if two servers are idle, and queues else. */
    LAEDGE("LÆDGE", Policy.RANDOM, Cloning.IDLE, State.COUNTED),
    /** What was told last holds until something else is told. */
    NETCLONE("NetClone", Policy.RANDOM, Cloning.IDLE, State.AGENT),
    RACKSCHED("RackSched", Policy.SHORTER_QUEUE, Cloning.NEVER, State.AGENT),
    NETCLONE_RACKSCHED("NetClone+RackSched", Policy.SHORTER_QUEUE, Cloning.IDLE, State.AGENT),
    /** As request-switch's agent: what was told is forgotten after ten answer times. */
    AGED("ours, agent", Policy.SHORTER_QUEUE, Cloning.IDLE, State.AGENT),
    /** As request-switch by default: nothing is told, and no server drops anything. */
    COUNTED("ours, counted", Policy.SHORTER_QUEUE, Cloning.IDLE, State.COUNTED),
    /** NetClone, and both answers go to the client. */
    UNFILTERED("NetClone, filter off", Policy.RANDOM, Cloning.IDLE, State.AGENT);

    private final String title;
    private final Rules rules;

    RpcScheme(String title, Policy policy, Cloning cloning, State state) {
        this.title = title;
        rules = new Rules(policy, cloning, state);
    }

    public String title() {
        return title;
    }

    Rules rules() {
        return rules;
    }

    /** Whether servers drop clones that find a queue. */
    boolean dropsClones() {
        return rules.cloning() == Cloning.IDLE && rules.state() == State.AGENT;
    }

    boolean filters() {
        return this != C_CLONE && this != UNFILTERED;
    }

    /** Whether it is request-switch's: what was told ages, and silent servers are suspect. */
    boolean ours() {
        return this == AGED || this == COUNTED;
    }
}
