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
package org.apache.hadoop.clone.stage;

/** Which other copies of its job a copy makes useless when it starts or ends. */
public enum Purge {
    NOTHING,
    /** All but itself. */
    OTHERS,
    /** Those that were dispatched before it. */
    EARLIER;

    /**
     * @param other the number of another copy
     * @param copy the number of the one that starts or ends
     */
    public boolean hits(int other, int copy) {
        return this == OTHERS ? other != copy : this == EARLIER && other < copy;
    }
}
