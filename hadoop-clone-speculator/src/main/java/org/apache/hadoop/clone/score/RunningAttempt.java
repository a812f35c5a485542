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
 * What is known of a running attempt at one moment.
 *
 * @param remainingMillis t*_a, the time that it still needs, from now; infinite for one that
 *     doesn't move, NaN for one of which nothing can be said yet
 * @param progress p, from 0 to 1; NaN when the task doesn't tell
 * @param meanRuntimeMillis t̄_a, how long an attempt of its kind takes from start to end; NaN as
 *     long as none has ended
 * @param cloneBytes f_clone, the bytes that travel for its clone: its file clone set, and the image
 *     of its memory
 */
@InterfaceAudience.Private
public record RunningAttempt(
        double remainingMillis, double progress, double meanRuntimeMillis, long cloneBytes) {}
