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
package org.apache.hadoop.clone.task;

/**
 * {@link SlowOrder} in a reduce's own thread only, and slower: however long its fetches took, there
 * is much left to merge when they are over.
 */
public final class SlowFinalMerge extends SlowOrder {
    private static final long PAUSE_MILLIS = 20;

    @Override
    long pauseMillis() {
        return Thread.currentThread().getName().equals("main") ? PAUSE_MILLIS : 0;
    }
}
