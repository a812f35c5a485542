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
package org.apache.hadoop.clone.score;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The numbers by which it is judged what a clone costs. Not for users: docs/speculation.md says
 * what each is derived from, and what others in its place do.
 *
 * @param promptMillis as long as an answer may take wherever processors are shared: it is the first
 *     look at threads and descriptors, by code that hasn't run before
 * @param overAnswer how much longer a clone takes than what an answer takes beyond that: what keeps
 *     the one from its host's processors keeps the other (measured: docs/speculation.md)
 * @param packing how many times as fast as its bytes would an image travels over a link that is
 *     slow enough to compress it for (measured: docs/internals/rules-evidence.md)
 * @param priorWeight how many samples a configured mean counts as
 * @param costMemoryMillis in which what clones have cost fades, by 1/e
 */
@InterfaceAudience.Private
public record CostRules(
        double promptMillis,
        double overAnswer,
        double packing,
        int priorWeight,
        double costMemoryMillis) {
    public static final CostRules PRESET = new CostRules(500, 15, 5, 3, 300_000);
}
