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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.engine.Draws;
import org.junit.jupiter.api.Test;

class SplitHostsTest {
    private static List<String> hosts(int number) {
        return IntStream.rangeClosed(1, number).mapToObj(i -> "h" + i).toList();
    }

    @Test
    void noTwoReplicasAreOnOneHost() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(SplitHosts.withReplicas(1, hosts(3), new Draws(seed)).of(0))
                    .containsExactlyInAnyOrder("h1", "h2", "h3");
            assertThat(SplitHosts.withReplicas(1, hosts(16), new Draws(seed)).of(0))
                    .hasSize(3)
                    .doesNotHaveDuplicates();
        }
        assertThat(SplitHosts.withReplicas(1, hosts(2), new Draws(1)).of(0)).hasSize(2);
    }

    /** Six maps of three hosts: which two is luck. */
    @Test
    void teraSortLeavesTheLastHostWithNone() {
        SplitHosts one = SplitHosts.withReplicas(6, hosts(3), new Draws(1)).oneEachAsTeraSort();

        assertThat(
                        IntStream.range(0, 6)
                                .mapToObj(one::of)
                                .collect(Collectors.groupingBy(host -> host, Collectors.counting()))
                                .values())
                .containsExactly(3L, 3L);
    }

    /** No host takes more than four. */
    @Test
    void whatNoHostTakesAsksForAllThatHaveIt() {
        SplitHosts one = SplitHosts.withReplicas(20, hosts(3), new Draws(1)).oneEachAsTeraSort();

        assertThat(IntStream.range(0, 20).filter(map -> one.of(map).size() == 1)).hasSize(12);
        assertThat(IntStream.range(0, 20).filter(map -> one.of(map).size() == 3)).hasSize(8);
    }

    @Test
    void whoHasASplitTakesIt() {
        SplitHosts all = SplitHosts.withReplicas(40, hosts(64), new Draws(1));
        SplitHosts one = all.oneEachAsTeraSort();

        for (int map = 0; map < 40; map++) {
            assertThat(all.of(map)).containsAll(one.of(map));
        }
    }
}
