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
package org.clonehadoop.simulator.replay;

import java.util.Locale;
import org.apache.hadoop.clone.score.Outcome;

/**
 * What a speculator has ordered.
 *
 * @param afterMillis since the feed's beginning
 * @param target the task that is begun again, or the attempt that is cloned
 */
public record Action(long afterMillis, Outcome kind, String target) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f s %s %s", afterMillis / 1e3, kind, target);
    }
}
