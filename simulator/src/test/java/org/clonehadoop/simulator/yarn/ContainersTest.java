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
import java.util.Set;
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
    private final Containers containers = containers(1, Sharing.FAIR);
    private final Application application = containers.application(new Draws(1));
    private final List<String> granted = new ArrayList<>();

    private Containers containers(long seed, Sharing sharing) {
        return containers(seed, 1, sharing);
    }

    private Containers containers(long seed, int perHost, Sharing sharing) {
        return new Containers(
                timeline,
                new Draws(seed),
                hosts,
                perHost,
                Containers.NODE_HEARTBEAT_MILLIS,
                sharing);
    }

    private void request(String name, int priority, String... wanted) {
        request(application, name, priority, wanted);
    }

    private void request(Application by, String name, int priority, String... wanted) {
        by.request(
                new Application.Request(
                        name,
                        priority,
                        List.of(wanted),
                        HandingOut.BY_HOST,
                        Application.Hurry.NONE,
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

    /** How many containers that were granted are on each host. */
    private List<Integer> perHost() {
        return hosts.stream()
                .map(
                        host ->
                                (int)
                                        granted.stream()
                                                .filter(one -> one.endsWith(host.name()))
                                                .count())
                .toList();
    }

    /** One each, and the node that the round began with another one. */
    @Test
    void aRoundGivesAwayOneContainerAtEachTurn() {
        Containers some = containers(1, 3, Sharing.FAIR);
        Application one = some.application(new Draws(1));
        for (int i = 0; i < 6; i++) {
            request(one, "map" + i, 20, "h1", "h2", "h3");
        }
        long asked = timeline.getTime() + 1000;

        timeline.run(() -> one.held() > 0, 60_000);
        assertThat(one.held()).isEqualTo(4);
        assertThat(timeline.getTime()).isLessThanOrEqualTo(asked + 5);
        timeline.run(() -> one.held() > 4, 60_000);
        assertThat(timeline.getTime()).isLessThanOrEqualTo(asked + 10);
        runUntilGranted(6);

        assertThat(perHost()).allMatch(containers -> containers >= 1 && containers <= 3);
    }

    @Test
    void roundsBeginWithAnyNode() {
        for (long seed = 1; seed <= 20; seed++) {
            Application one = containers(seed, Sharing.FAIR).application(new Draws(seed));
            request(one, "reduce", 10);
            runUntilGranted((int) seed);
        }

        assertThat(perHost()).allMatch(containers -> containers > 0);
    }

    @Test
    void whatHasEndedIsFreeWithItsNodesHeartbeat() {
        hosts.forEach(application::take);
        request("map", 20);
        runFor(2000);
        long period = Containers.NODE_HEARTBEAT_MILLIS;
        long beat = new Draws(1).below(period, "h2 beats at");
        runFor(Math.floorMod(beat + 1 - timeline.getTime(), period)); // it has just reported

        application.giveBack(hosts.get(1));
        runFor(period - 2);
        assertThat(application.held()).isEqualTo(3);
        runFor(3000);

        assertThat(granted).containsExactly("map on h2");
    }

    /** As YARN: what matters more awaits a better node, so what matters less gets nothing. */
    @Test
    void nothingIsServedBeforeWhatMattersMost() {
        hosts.forEach(application::take);
        request("urgent", 5, "h2", "h3");
        request("map", 20);
        runFor(2000);

        application.giveBack(hosts.get(0));
        runFor(4000);

        assertThat(granted).containsExactly("urgent on h1"); // though h1 was offered in vain first
    }

    @Test
    void whatIsWithdrawnIsNotGrantedAndNobodyElseMisses() {
        hosts.forEach(application::take);
        request("a", 20);
        request("b", 20);
        runFor(5000);

        application.withdraw("a");
        application.giveBack(hosts.get(0));
        application.giveBack(hosts.get(1));
        runFor(5000);

        assertThat(granted).singleElement().satisfies(one -> assertThat(one).startsWith("b on"));
    }

    @Test
    void aSmallerPriorityIsServedFirst() {
        hosts.forEach(application::take);
        request("map", 20);
        runFor(5000);
        request("reduce", 10);
        runFor(5000);

        application.giveBack(hosts.get(0));
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
            Containers some = containers(seed, Sharing.FAIR);
            List<String> where = new ArrayList<>();
            Application one = some.application(new Draws(seed));
            one.take(hosts.get(0));
            one.take(hosts.get(2));
            one.request(
                    new Application.Request(
                            "a",
                            20,
                            List.of("h2"),
                            HandingOut.BY_HOST,
                            Application.Hurry.NONE,
                            host -> where.add(host.name())));
            runFor(1000); // it has been asked for by now
            if (where.isEmpty()) {
                lostBefore++;
                some.lose(hosts.get(1));
                one.giveBack(hosts.get(0));
                timeline.run(() -> !where.isEmpty(), 60_000);
                assertThat(where).doesNotContain("h2");
            }
        }
        assertThat(lostBefore).isPositive();
    }

    @Test
    void whoHasFewestIsNextIfTheyShareFairly() {
        Application other = containers.application(new Draws(2));
        application.take(hosts.get(0));
        application.take(hosts.get(1));
        other.take(hosts.get(2));
        request(application, "first's", 20);
        runFor(2000);
        request(other, "other's", 20);
        runFor(2000);

        application.giveBack(hosts.get(0));
        runFor(5000);

        assertThat(granted).containsExactly("first's on h1"); // each has one, and it came first

        other.giveBack(hosts.get(2));
        runFor(5000);

        assertThat(granted).containsExactly("first's on h1", "other's on h3");
    }

    @Test
    void whoCameFirstIsNextIfItIsFirstInFirstOut() {
        Containers some = containers(1, Sharing.FIFO);
        Application first = some.application(new Draws(1));
        Application other = some.application(new Draws(2));
        hosts.forEach(first::take);
        request(other, "other's", 10);
        runFor(2000);
        request(first, "first's", 20);
        runFor(2000);

        first.giveBack(hosts.get(0));
        runFor(5000);

        assertThat(granted).containsExactly("first's on h1");
    }

    @Test
    void applicationsMayGiveTheirRequestsTheSameNames() {
        Application other = containers.application(new Draws(2));
        hosts.forEach(other::take);
        request(application, "a", 20);
        request(other, "a", 20);
        runFor(5000);

        assertThat(application.withdraw("a")).isTrue();
        assertThat(application.withdraw("a")).isFalse();
        other.giveBack(hosts.get(1));
        runFor(5000);

        assertThat(granted).containsExactly("a on h2");
    }

    /** Else all would be AppMasters that wait for each other. */
    @Test
    void tasksAreLeftRoomByAppMasters() {
        List<Application> started = new ArrayList<>();
        List<Application> all =
                List.of(
                        application,
                        containers.application(new Draws(2)),
                        containers.application(new Draws(3)));
        all.forEach(one -> one.requestAppMaster(host -> started.add(one)));
        runFor(5000);

        assertThat(started).hasSize(1);

        request(started.get(0), "task", 20);
        runUntilGranted(1);
    }

    @Test
    void whatOthersHaveCantBeHad() {
        Application other = containers.application(new Draws(2));
        other.take(hosts.get(0));
        application.take(hosts.get(1));

        assertThat(application.most()).isEqualTo(2);

        containers.lose(hosts.get(2));

        assertThat(application.most()).isEqualTo(1);
    }

    /** Room that is made before the ResourceManager knows for whom goes to another. */
    @Test
    void whoAsksHearsWhenTheResourceManagerKnows() {
        for (long seed = 1; seed <= 20; seed++) {
            Application one = containers(seed, Sharing.FAIR).application(new Draws(seed));
            hosts.forEach(one::take);
            request(one, "reduce", 10);
            runFor(2000);

            one.request(
                    new Application.Request(
                            "map",
                            5,
                            List.of("h2"),
                            HandingOut.BY_TURN,
                            Application.Hurry.NONE,
                            host -> granted.add("map on " + host.name())),
                    () -> one.giveBack(hosts.get(1)));
            runFor(5000);
        }

        assertThat(granted).hasSize(20).containsOnly("map on h2");
    }

    @Test
    void aHostThatIsWithheldIsOfferedToOthersOnly() {
        Application other = containers.application(new Draws(2));
        application.withhold(Set.of("h1", "h2", "h3"));
        runFor(1000);
        request("mine", 1);
        runFor(5000);
        assertThat(granted).isEmpty();
        request(other, "theirs", 1);
        runUntilGranted(1);
        assertThat(granted.get(0)).startsWith("theirs");

        application.withhold(Set.of());
        runUntilGranted(2);
        assertThat(granted.get(1)).startsWith("mine");
    }
}
