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
package org.clonehadoop.simulator.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.SimHost;
import org.junit.jupiter.api.Test;

class ContainersTest {
    private static final HostSpec SPEC = new HostSpec(1, 1, 1, 1);

    private final Timeline timeline = new Timeline(0);
    private final List<SimHost> hosts =
            List.of(
                    new SimHost("h1", SPEC, timeline),
                    new SimHost("h2", SPEC, timeline),
                    new SimHost("h3", SPEC, timeline));
    private final Containers containers = new Containers(timeline, new Draws(1), hosts, 1);
    private final List<String> granted = new ArrayList<>();

    private void request(String name, int priority, String... wanted) {
        containers.request(
                new Containers.Request(
                        name,
                        priority,
                        List.of(wanted),
                        1000,
                        host -> granted.add(name + " on " + host.name())));
    }

    private void runUntilGranted(int count) {
        timeline.run(() -> granted.size() == count, 60_000);
    }

    private void runFor(long millis) {
        long end = timeline.getTime() + millis;
        boolean[] over = {false};
        timeline.after(millis, () -> over[0] = true);
        timeline.run(() -> over[0], millis);
        assertThat(timeline.getTime()).isEqualTo(end);
    }

    @Test
    void aHostThatIsAskedForIsGivenIfItHasRoom() {
        request("a", 20, "h2");
        request("b", 20, "h2");

        runUntilGranted(2);

        assertThat(granted).contains("a on h2").anyMatch(one -> !one.endsWith("h2"));
    }

    @Test
    void whatIsWithdrawnIsNotGrantedAndNobodyElseMisses() {
        hosts.forEach(containers::take);
        request("a", 20);
        request("b", 20);
        runFor(5000);

        containers.withdraw("a");
        containers.giveBack(hosts.get(0));
        containers.giveBack(hosts.get(1));
        runFor(5000);

        assertThat(granted).singleElement().satisfies(one -> assertThat(one).startsWith("b on"));
    }

    @Test
    void aSmallerPriorityIsServedFirst() {
        hosts.forEach(containers::take);
        request("map", 20);
        runFor(5000);
        request("reduce", 10);
        runFor(5000);

        containers.giveBack(hosts.get(0));
        runFor(5000);

        assertThat(granted).containsExactly("reduce on h1");
    }

    /**
     * Whatever the luck of heartbeats. As YARN does with what isn't fetched yet (RMContainerImpl).
     */
    @Test
    void aGrantThatIsUnderWayWhenItsHostIsLostIsMadeElsewhere() {
        int lostBefore = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Containers some = new Containers(timeline, new Draws(seed), hosts, 1);
            List<String> where = new ArrayList<>();
            some.request(
                    new Containers.Request(
                            "a", 20, List.of("h2"), 1000, host -> where.add(host.name())));
            runFor(1000); // it has been asked for by now
            if (where.isEmpty()) {
                lostBefore++;
                some.lose(hosts.get(1));
                timeline.run(() -> !where.isEmpty(), 60_000);
                assertThat(where).doesNotContain("h2");
            }
        }
        assertThat(lostBefore).isPositive();
    }
}
