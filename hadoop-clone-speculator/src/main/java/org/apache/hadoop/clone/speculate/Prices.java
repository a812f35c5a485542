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

/**
 * What a second attempt must save for each second that it has a container, in seconds.
 *
 * @param ofSecond of any second attempt, at least 0
 * @param inPlace of one that ends another, which has done some of its work; at least as much
 * @param replaces whether one that straggles itself may end in favour of another
 * @param rules what replacing costs
 */
record Prices(double ofSecond, double inPlace, boolean replaces, SpeculationRules rules) {
    /**
     * Of one more, which begins in the place of a second attempt that straggles. That one was no
     * better may be luck, or the task. With <i>k</i> that weren't the next is taken to be better
     * with a chance of 1/<i>k</i>, so that <i>k</i> times as much must be left to do.
     *
     * @param tries how many second attempts the task has had, at least 1
     */
    double ofAnother(int tries) {
        return (1 + rules.doubt() * (tries - 1)) * (1 + inPlace) - 1;
    }
}
