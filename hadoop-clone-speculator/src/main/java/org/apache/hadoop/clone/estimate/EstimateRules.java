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
package org.apache.hadoop.clone.estimate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The numbers by which times are estimated. Not for users: docs/speculation.md says what each is
 * derived from, and what others in its place do.
 *
 * @param lately what part of its time until now tells how fast an attempt is
 * @param sizeShows after what part of its input an attempt's counters tell how large that is; and
 *     no input is taken to be a smaller part of the mean
 * @param samples how many attempts are remembered for each part of their progress
 * @param notableShare of all samples, above which those of the attempt's own host are left out
 * @param ended how many attempts that have ended are compared
 * @param compared how many that run are
 * @param marks how many moments of an attempt's course are kept
 * @param parts of the progress, of each of which it is learned how long it takes; a multiple of
 *     three, for reduces' phases are thirds, those of maps two and one
 * @param reportsOfPace that make a pace of its own, by which one that can't be compared is judged
 */
@InterfaceAudience.Private
public record EstimateRules(
        double lately,
        double sizeShows,
        int samples,
        double notableShare,
        int ended,
        int compared,
        int marks,
        int parts,
        double reportsOfPace) {

    /**
     * @throws IllegalArgumentException if the parts don't make thirds
     */
    public EstimateRules {
        if (parts < 3 || parts % 3 != 0) {
            throw new IllegalArgumentException(parts + " parts make no thirds");
        }
    }

    public static final EstimateRules PRESET =
            new EstimateRules(1 / 3.0, 0.05, 32, 0.1, 256, 1024, 64, 30, 2);
}
