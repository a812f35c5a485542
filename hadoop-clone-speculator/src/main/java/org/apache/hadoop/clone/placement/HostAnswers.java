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
package org.apache.hadoop.clone.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What clones of a host's attempts take at the least, by how slowly one of them answered whether it
 * can be cloned. The next one there would answer no sooner, and needn't be asked. An answer holds
 * as long as {@linkplain HostRates what hosts did} is remembered, so that a host which has become
 * well is asked again; and the last one counts. Not thread-safe.
 */
@InterfaceAudience.Private
public final class HostAnswers {
    private record Answer(double cloneMillis, double untilMillis) {}

    private final double memory;
    private final Map<String, Answer> last = new HashMap<>();

    public HostAnswers(PlacementRules rules) {
        memory = rules.memory();
    }

    /**
     * An attempt there has answered.
     *
     * @param cloneMillis what its clone takes at the least; 0 or less if the answer says nothing
     * @param usualMillis what an attempt of its task would take
     */
    public void answered(String host, double cloneMillis, double usualMillis, long now) {
        last.put(host, new Answer(cloneMillis, now + memory * usualMillis));
    }

    /**
     * An attempt there was asked, and hasn't answered: its agent may be gone, if others have.
     *
     * @param cloneMillis what its clone would take at the least, had it answered now
     * @param usualMillis what an attempt of its task would take
     */
    public void silent(String host, double cloneMillis, double usualMillis, long now) {
        if (!isKnown(host, now)) {
            answered(host, cloneMillis, usualMillis, now);
        }
    }

    /** What a clone of an attempt there takes at the least; 0 if nothing is known of it. */
    public double cloneMillis(String host, long now) {
        return known(host, now).map(Answer::cloneMillis).filter(millis -> millis > 0).orElse(0.0);
    }

    /** Whether an attempt there has answered, and how soon is still remembered. */
    public boolean isKnown(String host, long now) {
        return known(host, now).isPresent();
    }

    private Optional<Answer> known(String host, long now) {
        return Optional.ofNullable(last.get(host)).filter(answer -> now < answer.untilMillis);
    }
}
