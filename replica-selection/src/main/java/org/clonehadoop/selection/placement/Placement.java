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
package org.clonehadoop.selection.placement;

/**
 * A plan, and how good it is.
 *
 * @param least that many nodes every plan has at least that degrades the same groups, from 0, or
 *     {@link #UNKNOWN}
 * @param seconds that it took to find, wall time, without loading the solver
 */
public record Placement(Plan plan, int least, double seconds) {
    /** There was no time for any proof. */
    public static final int UNKNOWN = -1;

    /**
     * Whether no plan with fewer nodes degrades the same groups. Where some are, one that degrades
     * others may have fewer.
     */
    public boolean optimal() {
        return plan.nodes().size() <= least;
    }
}
