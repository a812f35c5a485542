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
package org.clonehadoop.simulator.requests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AgendaTest {
    @Test
    void letsEventsHappenInTheirOrderWithWhatTheyAre() {
        Agenda agenda = new Agenda();
        agenda.after(30, 2, 7);
        agenda.after(10, 1, Integer.MAX_VALUE);
        assertThat(agenda.next()).isTrue();
        assertThat(agenda.now()).isEqualTo(10);
        assertThat(agenda.kind()).isEqualTo(1);
        assertThat(agenda.subject()).isEqualTo(Integer.MAX_VALUE);
        agenda.after(5, 3, 0);
        assertThat(agenda.next()).isTrue();
        assertThat(agenda.now()).isEqualTo(15);
        assertThat(agenda.next()).isTrue();
        assertThat(agenda.kind()).isEqualTo(2);
        assertThat(agenda.subject()).isEqualTo(7);
        assertThat(agenda.next()).isFalse();
        assertThat(agenda.happened()).isEqualTo(3);
    }

    @Test
    void keepsTheOrderOfManyPlannedOnTheWay() {
        SplittableRandom random = new SplittableRandom(3);
        Agenda agenda = new Agenda();
        List<Long> planned = new ArrayList<>();
        List<Long> happened = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long delay = random.nextLong(1_000_000);
            planned.add(agenda.now() + delay);
            agenda.after(delay, 0, i);
            if (random.nextInt(3) == 0 && agenda.next()) {
                happened.add(agenda.now());
            }
        }
        while (agenda.next()) {
            happened.add(agenda.now());
        }
        Collections.sort(planned);
        assertThat(happened).isEqualTo(planned);
    }

    @Test
    void knowsNoPast() {
        assertThatThrownBy(() -> new Agenda().after(-1, 0, 0)).hasMessageContaining("-1 ns");
    }

    @Test
    void whatWaitsIsTakenInItsOrderHoweverMuchItIs() {
        Waiting waiting = new Waiting();
        int next = 0;
        for (int i = 0; i < 1000; i++) {
            waiting.add(i);
            if (i % 3 == 0) {
                assertThat(waiting.take()).isEqualTo(next++);
            }
        }
        while (waiting.size() > 0) {
            assertThat(waiting.take()).isEqualTo(next++);
        }
        assertThat(next).isEqualTo(1000);
    }

    @Test
    void latenciesHaveTheirMeanAndPercentiles() {
        Latencies latencies = new Latencies();
        for (int i = 1; i <= 1000; i++) {
            latencies.add(i * 1000L);
        }
        assertThat(latencies.mean()).isEqualTo(500_500);
        assertThat(latencies.percentile(99)).isBetween(989_000.0, 991_000.0);
        assertThat(latencies.count()).isEqualTo(1000);
    }
}
