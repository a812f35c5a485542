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
package org.clonehadoop.simulator.regress;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A scenario in which ours may take more than {@link Comparison#WORST} times stock's time.
 *
 * @param most of stock's time, that ours may take all the same
 * @param reason why that is accepted
 */
record KnownLoss(double most, String reason) {
    private static final Map<String, KnownLoss> BY_SCENARIO =
            Map.of(
                    "neighbours-disk",
                    new KnownLoss(
                            1.08,
                            "nothing tells that a disk is slow before a clone's files are read"
                                    + " from it, and then its original is slowed down as well"));

    static Optional<KnownLoss> in(String scenario) {
        return Optional.ofNullable(BY_SCENARIO.get(scenario));
    }

    /** Of all that there are. */
    static Set<String> scenarios() {
        return BY_SCENARIO.keySet();
    }
}
