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
package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The numbers by which it is decided who gets a second attempt. Not for users: docs/speculation.md
 * says what each is derived from, and what others in its place do.
 *
 * @param fetchShare of B̄, at which a reduce has fetched while maps ran: they were writing to the
 *     same disks, and others were fetching
 * @param yieldsAtOnce of hundreds of second attempts that wait so many are looked at, so that a
 *     look costs the same however many hosts there are
 * @param doubt by so much of all that another second attempt costs more must be saved for each that
 *     the task has had after its first
 * @param trusted for how many report's intervals an attempt that has said nothing is taken to run
 */
@InterfaceAudience.Private
public record SpeculationRules(double fetchShare, int yieldsAtOnce, double doubt, double trusted) {
    public static final SpeculationRules PRESET = new SpeculationRules(0.25, 10, 1, 1.5);
}
