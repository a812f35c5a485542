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

/** What becomes of a container that a backup was given. */
@InterfaceAudience.Private
public enum ContainerVerdict {
    /** The backup runs there. */
    TAKE,

    /** It is given back, and another one asked for at once. */
    REFUSE,

    /**
     * It is given back, and another one asked for later: there is hardly another host with room,
     * and each container that is granted only to be given back keeps the ResourceManager busy.
     */
    REFUSE_AND_WAIT;

    /**
     * @param beside whether the host is the original's, and {@linkplain PlacementRules#isNoOther
     *     others} are to be expected: never
     * @param worse whether attempts are slow there, or no clone could run there
     * @param refusedBefore how many containers the backup was given and hasn't taken
     */
    public static ContainerVerdict of(
            boolean beside, boolean worse, int refusedBefore, PlacementRules rules) {
        if (refusedBefore < rules.givenBack()) {
            return beside || worse ? REFUSE : TAKE;
        }
        return beside ? REFUSE_AND_WAIT : TAKE;
    }
}
