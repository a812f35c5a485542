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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RunningAttemptsTest {
    private final RunningAttempts<Integer> running = new RunningAttempts<>();

    @Test
    void eachAttemptCountsOnceHoweverOftenItIsSaidToRun() {
        running.runs(0, "a");
        running.runs(0, "a");
        running.runs(1, "a");
        running.runs(2, "b");
        assertThat(running.byHost()).isEqualTo(Map.of("a", 2, "b", 1));
    }

    @Test
    void oneThatRunsElsewhereLeavesItsHost() {
        running.runs(0, "a");
        running.runs(0, "b");
        assertThat(running.byHost()).isEqualTo(Map.of("b", 1));
    }

    @Test
    void oneThatHasEndedCountsNoMore() {
        running.runs(0, "a");
        running.runs(1, "a");
        running.ended(0);
        running.ended(0);
        running.ended(7);
        assertThat(running.byHost()).isEqualTo(Map.of("a", 1));
    }

    @Test
    void whatWasAskedStaysAsItWas() {
        running.runs(0, "a");
        Map<String, Integer> before = running.byHost();
        running.ended(0);
        assertThat(before).isEqualTo(Map.of("a", 1));
    }
}
