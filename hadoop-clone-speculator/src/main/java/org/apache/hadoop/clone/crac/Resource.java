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
package org.apache.hadoop.clone.crac;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/** As {@code org.crac.Resource}: what user code must close before a clone and open after it. */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public interface Resource {
    /**
     * Makes the resource ready to be copied.
     *
     * @throws Exception if there must be no clone now
     */
    void beforeCheckpoint(Context context) throws Exception;

    /**
     * Takes the resource up again: in the original, in the clone, and when no clone was made.
     *
     * @throws Exception if it can't be used any more
     */
    void afterRestore(Context context) throws Exception;
}
