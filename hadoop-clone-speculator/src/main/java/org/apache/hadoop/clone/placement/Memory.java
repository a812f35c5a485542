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

import org.apache.hadoop.classification.InterfaceAudience;

/** How fast what was seen of hosts is forgotten; at first nothing is. Not thread-safe. */
@InterfaceAudience.Private
public final class Memory {
    private double millis = Double.POSITIVE_INFINITY;

    /** What lies so long ago counts 1/e. */
    public void lasts(double someMillis) {
        millis = someMillis;
    }

    /** How much of what was seen until then is left. */
    double rest(long asOf, long now) {
        return Math.exp((asOf - now) / millis);
    }

    /** That part of it, in milliseconds; 0 if nothing is forgotten. */
    double part(double share) {
        return Double.isInfinite(millis) ? 0 : share * millis;
    }
}
