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

import static org.apache.hadoop.clone.appmaster.CloneEvent.ABLE;
import static org.apache.hadoop.clone.appmaster.CloneEvent.BECAME;
import static org.apache.hadoop.clone.appmaster.CloneEvent.BESIDE;
import static org.apache.hadoop.clone.appmaster.CloneEvent.CLONE_ENDED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.CLONE_FAILED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.CLONE_SUCCEEDED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.CONTAINER;
import static org.apache.hadoop.clone.appmaster.CloneEvent.FAILED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.FROZEN;
import static org.apache.hadoop.clone.appmaster.CloneEvent.OFFERED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.ORIGINAL_ENDED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.REFUSED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.REGISTERED;
import static org.apache.hadoop.clone.appmaster.CloneEvent.SWITCHED_OFF;
import static org.apache.hadoop.clone.appmaster.CloneEvent.TIME_OUT;
import static org.apache.hadoop.clone.appmaster.CloneEvent.VETOED;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a clone stands, for its AppMaster. The whole table is here, and in
 * docs/internals/clone-lifecycle.md; what an event means for the rest of the world is {@link
 * CloneCoordinator}'s.
 */
enum CloneState {
    /** The original has been asked whether it can be cloned. No attempt exists. */
    ASKED,
    /** The attempt that is to be the clone has been ordered, and waits for a container. */
    WAITING,
    /** The attempt has a container; its launch waits for the original's offer. */
    OFFERING,
    /** The container pulls the original, which may not be frozen yet. */
    PULLING,
    /** The original has been allowed to freeze. */
    FREEZING,
    /** A process in the right container has asked for the attempt's identity, and got it. */
    BECOMING,
    /** The clone runs as an attempt like any other. */
    RUNNING,

    /** The clone succeeded. */
    WON,
    /** It ended otherwise, after it had run. */
    LOST,
    /** The attempt began at zero in the container that was meant for the clone. */
    FELL_BACK,
    /** No clone was made, and no attempt in its place. */
    GIVEN_UP;

    private static final Map<CloneState, Map<CloneEvent, CloneState>> TABLE =
            new EnumMap<>(CloneState.class);

    static {
        on(ASKED, ABLE, WAITING);
        on(ASKED, REFUSED, GIVEN_UP);
        on(ASKED, TIME_OUT, GIVEN_UP);
        on(ASKED, ORIGINAL_ENDED, GIVEN_UP);
        on(ASKED, SWITCHED_OFF, GIVEN_UP);

        on(WAITING, CONTAINER, OFFERING);
        on(WAITING, BESIDE, FELL_BACK);
        on(WAITING, ORIGINAL_ENDED, FELL_BACK);
        on(WAITING, SWITCHED_OFF, FELL_BACK);
        on(WAITING, CLONE_ENDED, GIVEN_UP);

        on(OFFERING, OFFERED, PULLING);
        on(OFFERING, REFUSED, FELL_BACK);
        on(OFFERING, FAILED, FELL_BACK);
        on(OFFERING, TIME_OUT, FELL_BACK);
        on(OFFERING, ORIGINAL_ENDED, FELL_BACK);
        on(OFFERING, SWITCHED_OFF, FELL_BACK);
        on(OFFERING, CLONE_ENDED, GIVEN_UP);

        on(PULLING, FROZEN, FREEZING);
        on(PULLING, REFUSED, FELL_BACK);
        on(PULLING, FAILED, FELL_BACK);
        on(PULLING, VETOED, FELL_BACK);
        on(PULLING, TIME_OUT, FELL_BACK);
        on(PULLING, ORIGINAL_ENDED, FELL_BACK);
        on(PULLING, SWITCHED_OFF, FELL_BACK);
        on(PULLING, CLONE_SUCCEEDED, FELL_BACK);
        on(PULLING, CLONE_ENDED, GIVEN_UP);
        on(PULLING, CLONE_FAILED, GIVEN_UP);

        // An image may be on its way although the original has ended meanwhile.
        on(FREEZING, BECAME, BECOMING);
        on(FREEZING, REFUSED, FELL_BACK);
        on(FREEZING, FAILED, FELL_BACK);
        on(FREEZING, VETOED, FELL_BACK);
        on(FREEZING, TIME_OUT, FELL_BACK);
        on(FREEZING, SWITCHED_OFF, FELL_BACK);
        on(FREEZING, CLONE_SUCCEEDED, FELL_BACK);
        on(FREEZING, CLONE_ENDED, GIVEN_UP);
        on(FREEZING, CLONE_FAILED, GIVEN_UP);

        on(BECOMING, REGISTERED, RUNNING);
        on(BECOMING, TIME_OUT, GIVEN_UP);
        on(BECOMING, CLONE_ENDED, GIVEN_UP);
        on(BECOMING, CLONE_FAILED, GIVEN_UP);

        on(RUNNING, CLONE_SUCCEEDED, WON);
        on(RUNNING, CLONE_ENDED, LOST);
        on(RUNNING, CLONE_FAILED, LOST);
    }

    private static void on(CloneState state, CloneEvent event, CloneState next) {
        TABLE.computeIfAbsent(state, s -> new EnumMap<>(CloneEvent.class)).put(event, next);
    }

    /**
     * The state after the event; empty if it means nothing here, and comes too late or too early.
     */
    Optional<CloneState> after(CloneEvent event) {
        return Optional.ofNullable(TABLE.getOrDefault(this, Map.of()).get(event));
    }

    /** Whether nothing follows. */
    boolean isEnd() {
        return !TABLE.containsKey(this);
    }

    /** Whether the container was launched to become the clone, and may still do so or has. */
    boolean isCloneProcess() {
        return this == PULLING || this == FREEZING || this == BECOMING || this == RUNNING;
    }
}
