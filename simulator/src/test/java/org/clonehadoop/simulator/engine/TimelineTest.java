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
package org.clonehadoop.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline(1000);
    private final List<String> happened = new ArrayList<>();

    private void runAll(int count) {
        timeline.run(() -> happened.size() == count, 1_000_000);
    }

    @Test
    void whatIsDueAtTheSameMomentHappensAsItWasPlanned() {
        timeline.after(20, () -> happened.add("c"));
        timeline.after(10, () -> happened.add("a"));
        timeline.after(10, () -> happened.add("b"));

        runAll(3);

        assertThat(happened).containsExactly("a", "b", "c");
        assertThat(timeline.getTime()).isEqualTo(1020);
    }

    @Test
    void whatWasCalledOffDoesntHappen() {
        Timeline.Alarm alarm = timeline.after(10, () -> happened.add("never"));
        timeline.after(20, () -> happened.add("b"));
        alarm.cancel();

        runAll(1);

        assertThat(happened).containsExactly("b");
    }

    @Test
    void whatRecursStopsWhenItSaysSo() {
        timeline.every(10, () -> happened.size() < 3 && happened.add("x"));
        timeline.after(1000, () -> happened.add("end"));

        runAll(4);

        assertThat(happened).containsExactly("x", "x", "x", "end");
    }

    @Test
    void aRunThatCantEndSaysSo() {
        assertThatThrownBy(() -> runAll(1)).hasMessage("nothing is left to happen");
    }
}
