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
package org.clonehadoop.simulator.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.clonehadoop.simulator.engine.Timeline;
import org.junit.jupiter.api.Test;

class SimHostTest {
    private final Timeline timeline = new Timeline(0);
    private final SimHost host = new SimHost("h", new HostSpec(2, 100, 90, 3), timeline);
    private final List<Long> ends = new ArrayList<>();

    private SimHost.Activity begin(Load load, double brake) {
        return host.begin(load, brake, () -> ends.add(timeline.getTime()));
    }

    private void runUntil(int ended) {
        timeline.run(() -> ends.size() == ended, 1_000_000_000);
    }

    @Test
    void oneAloneTakesWhatItsScarcestResourceTakes() {
        begin(new Load(3, 700, 90), 1);

        runUntil(1);

        assertThat(ends.get(0)).isCloseTo(7000L, within(1L));
    }

    @Test
    void oneUsesOneProcessorHoweverManyThereAre() {
        begin(new Load(5, 0, 0), 1);

        runUntil(1);

        assertThat(ends.get(0)).isCloseTo(5000L, within(1L));
    }

    @Test
    void threeShareTwoProcessors() {
        for (int i = 0; i < 3; i++) {
            begin(new Load(4, 0, 0), 1);
        }

        runUntil(3);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(6000L, 6001L));
    }

    @Test
    void whatOneLeavesIdleForAnotherResourcesSakeIsGivenOutAgain() {
        begin(new Load(0, 1000, 10_000), 1); // by the net 111 s, and so 9 MB/s of the disk
        begin(new Load(0, 910, 0), 1);

        runUntil(1);

        assertThat(ends.get(0)).isCloseTo(10_000L, within(100L));
    }

    @Test
    void aBrakedOneTakesAsMuchLongerAndLeavesTheRestToOthers() {
        begin(new Load(0, 1000, 0), 10);
        begin(new Load(0, 900, 0), 1);

        runUntil(2);

        assertThat(ends.get(0)).isCloseTo(10_000L, within(10L));
        assertThat(ends.get(1)).isCloseTo(100_000L, within(100L));
    }

    @Test
    void aHangingOneNeverEnds() {
        SimHost.Activity hanging = begin(new Load(1, 0, 0), Double.POSITIVE_INFINITY);
        begin(new Load(1, 0, 0), 1);

        runUntil(1);

        assertThat(hanging.done()).isZero();
    }

    @Test
    void aHostThatBecomesSlowSlowsWhatRunsThere() {
        begin(new Load(4, 0, 0), 1);
        timeline.after(2000, () -> host.slowDown(Resource.CPU, 0.25)); // half a processor

        runUntil(1);

        assertThat(ends.get(0)).isCloseTo(6000L, within(1L));
    }

    @Test
    void whatIsStoppedKeepsWhatItHasDone() {
        SimHost.Activity activity = begin(new Load(4, 0, 0), 1);
        timeline.after(
                1000,
                () -> {
                    activity.stop();
                    ends.add(timeline.getTime());
                });

        runUntil(1);

        assertThat(activity.done()).isCloseTo(0.25, within(1e-9));
    }

    /** In random worlds no resource gives more than it has, and all work is done in the end. */
    @Test
    void noResourceGivesMoreThanItHas() {
        SplittableRandom random = new SplittableRandom(7);
        double cpu = 0;
        double disk = 0;
        double net = 0;
        for (int i = 0; i < 40; i++) {
            Load load =
                    new Load(
                            5 * random.nextDouble(),
                            500 * random.nextDouble(),
                            400 * random.nextDouble());
            cpu += load.cpu();
            disk += load.disk();
            net += load.net();
            timeline.after(random.nextInt(2000), () -> begin(load, 1));
        }

        runUntil(40);

        double seconds = timeline.getTime() / 1e3;
        assertThat(seconds)
                .isGreaterThanOrEqualTo(cpu / 2)
                .isGreaterThanOrEqualTo(disk / 100)
                .isGreaterThanOrEqualTo(net / 90)
                .isLessThan(cpu / 2 + disk / 100 + net / 90 + 2);
    }

    /** Two hosts of one machine with two processors, each of which could have both. */
    private static List<SimHost> partsOfOneMachine(Timeline timeline, double pace) {
        return partsOfOneMachine(timeline, new MachineSpec(2, pace, 100, true));
    }

    private static List<SimHost> partsOfOneMachine(Timeline timeline, MachineSpec spec) {
        Machine machine = new Machine(spec);
        HostSpec part = new HostSpec(2, 1000, 90, 3);
        return List.of(
                new SimHost("a", part, timeline, machine),
                new SimHost("b", part, timeline, machine));
    }

    @Test
    void hostsOfOneMachineShareItsProcessors() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        for (int i = 0; i < 4; i++) {
            parts.get(i % 2).begin(new Load(2, 0, 0), 1, () -> ends.add(timeline.getTime()));
        }

        runUntil(4);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(4000L, 4001L));
    }

    /** As control groups of the same weight do, whatever runs in each. */
    @Test
    void hostsOfOneMachineHaveTheSameSharesWhateverRunsThere() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        List<Long> crowded = new ArrayList<>();
        parts.get(0).begin(new Load(2, 0, 0), 1, () -> ends.add(timeline.getTime()));
        for (int i = 0; i < 3; i++) {
            parts.get(1).begin(new Load(2, 0, 0), 1, () -> crowded.add(timeline.getTime()));
        }

        runUntil(1);
        timeline.run(() -> crowded.size() == 3, 100_000);

        assertThat(ends.get(0)).isBetween(2000L, 2001L);
        // 2 of 6 s by then, and the rest by two processors.
        assertThat(crowded).allSatisfy(end -> assertThat(end).isBetween(4000L, 4002L));
    }

    /** As sessions do that are in no control group. */
    @Test
    void whatGoesOnMayHaveTheSameSharesWhereverItRuns() {
        List<SimHost> parts = partsOfOneMachine(timeline, new MachineSpec(2, 1, 100, false));
        parts.get(0).begin(new Load(2, 0, 0), 1, () -> ends.add(timeline.getTime()));
        for (int i = 0; i < 3; i++) {
            parts.get(1).begin(new Load(2, 0, 0), 1, () -> ends.add(timeline.getTime()));
        }

        runUntil(4);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(4000L, 4001L));
    }

    /** Others have what it may not have. */
    @Test
    void aLimitedHostsWorkSharesWhatItHas() {
        List<SimHost> parts = partsOfOneMachine(timeline, new MachineSpec(2, 1, 100, false));
        parts.get(0).slowDown(Resource.CPU, 0.125); // a quarter of a processor
        for (int i = 0; i < 2; i++) {
            parts.get(0).begin(new Load(0.5, 0, 0), 1, () -> ends.add(timeline.getTime()));
            parts.get(1).begin(new Load(3.5, 0, 0), 1, () -> ends.add(timeline.getTime()));
        }

        runUntil(4);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(4000L, 4001L));
    }

    @Test
    void hostsOfOneMachineShareItsDisk() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        parts.forEach(
                part -> part.begin(new Load(0, 500, 0), 1, () -> ends.add(timeline.getTime())));

        runUntil(2);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(10_000L, 10_001L));
    }

    @Test
    void aMachineIsAsQuickAsItsPace() {
        List<SimHost> parts = partsOfOneMachine(timeline, 0.5);
        parts.get(0).begin(new Load(2, 0, 0), 1, () -> ends.add(timeline.getTime()));

        runUntil(1);

        assertThat(ends.get(0)).isBetween(4000L, 4001L);
    }

    /** What one host may not have is the others'. */
    @Test
    void aHostThatIsLimitedLeavesTheMachineToTheOthers() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        parts.get(0).slowDown(Resource.CPU, 0.125); // a quarter of a processor
        List<Long> slow = new ArrayList<>();
        parts.get(0).begin(new Load(2, 0, 0), 1, () -> slow.add(timeline.getTime()));
        for (int i = 0; i < 2; i++) {
            parts.get(1).begin(new Load(1.75, 0, 0), 1, () -> ends.add(timeline.getTime()));
        }

        runUntil(2);

        assertThat(ends).allSatisfy(end -> assertThat(end).isBetween(2000L, 2001L));

        timeline.run(() -> !slow.isEmpty(), 100_000);

        assertThat(slow.get(0)).isBetween(8000L, 8001L);
    }

    @Test
    void whatEndsOnOneHostMakesOthersOfTheMachineQuicker() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        for (SimHost part : parts) {
            for (int i = 0; i < 2; i++) {
                double cpu = part == parts.get(0) ? 1 : 2;
                part.begin(new Load(cpu, 0, 0), 1, () -> ends.add(timeline.getTime()));
            }
        }

        runUntil(4);

        assertThat(ends.get(1)).isBetween(2000L, 2001L);
        assertThat(ends.get(3)).isBetween(3000L, 3002L);
    }

    @Test
    void aHostIsAsQuickAsWhatRunsOnItsMachineLeavesIt() {
        List<SimHost> parts = partsOfOneMachine(timeline, 1);
        for (int i = 0; i < 3; i++) {
            parts.get(1).begin(new Load(100, 0, 0), 1, () -> {});
            host.begin(new Load(100, 0, 0), 1, () -> {});
        }

        assertThat(parts.get(0).quickness()).isEqualTo(1); // its half of two processors
        assertThat(parts.get(1).quickness()).isCloseTo(0.5, within(1e-9)); // it has both, for four
        assertThat(host.quickness()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void onALostHostNothingGoesOn() {
        begin(new Load(1, 0, 0), 1);
        host.lose();
        timeline.after(100_000, () -> ends.add(timeline.getTime()));

        runUntil(1);

        assertThat(ends).containsExactly(100_000L);
        assertThat(host.isLost()).isTrue();
    }
}
