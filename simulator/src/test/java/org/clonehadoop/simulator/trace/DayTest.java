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
package org.clonehadoop.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.yarn.Sharing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DayTest {
    @TempDir private Path directory;

    private static List<DayJob> run(List<SwimJob> jobs, int hosts, Sharing sharing, Kind kind) {
        return new Day(jobs, hosts, sharing, hosts / 4, 0.1, 2, 1).run(kind, state -> {});
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "STOCK", "OURS"})
    void allJobsEndAndTheSameSeedGivesTheSameDay(Kind kind) throws IOException {
        List<SwimJob> jobs = TenJobs.jobs(directory);

        List<DayJob> day = run(jobs, 8, Sharing.FAIR, kind);

        assertThat(day).hasSize(10).doesNotContainNull();
        assertThat(run(jobs, 8, Sharing.FAIR, kind)).isEqualTo(day);
    }

    /** With its AppMaster's start: two heartbeats, two JVMs, and next to no work. */
    @Test
    void anEmptyJobTakesTwoStarts() throws IOException {
        DayJob nothing = run(TenJobs.jobs(directory), 8, Sharing.FAIR, Kind.NONE).get(2);

        assertThat(nothing.size()).isEqualTo(SizeClass.SMALL);
        assertThat(nothing.seconds()).isBetween(2 * 2.6 + 2 * 0.5, 2 * 2.6 + 2 * 0.5 + 6 + 20);
    }

    private static SwimJob scan(String id, double submit, int maps) {
        return new SwimJob(id, submit, 128.0 * maps, 0, 0);
    }

    @Test
    void aSmallJobWaitsForALargeOneUnlessTheyShareFairly() {
        List<SwimJob> jobs = List.of(scan("large", 0, 300), scan("small", 60, 8));

        double alone = run(jobs.subList(1, 2), 2, Sharing.FIFO, Kind.NONE).get(0).seconds();
        double last = run(jobs, 2, Sharing.FIFO, Kind.NONE).get(1).seconds();
        double shared = run(jobs, 2, Sharing.FAIR, Kind.NONE).get(1).seconds();

        assertThat(last).isGreaterThan(3 * alone);
        assertThat(shared).isLessThan(last / 2).isGreaterThan(alone);
    }

    /** More than there are containers, all at once: some must do the tasks. */
    @Test
    void jobsWithoutNumberAllEnd() {
        List<SwimJob> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            jobs.add(scan("job" + i, 0, 2));
        }

        assertThat(run(jobs, 1, Sharing.FAIR, Kind.NONE)).doesNotContainNull();
    }

    @Test
    void itTellsHowFarItHasCome() throws IOException {
        List<SwimJob> jobs = TenJobs.jobs(directory);
        List<Day.State> states = new ArrayList<>();

        new Day(jobs, 8, Sharing.FAIR, 0, 0.1, 2, 1).run(Kind.NONE, states::add);

        assertThat(states).isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
        assertThat(states.get(states.size() - 1).ended()).isEqualTo(10);
        assertThat(states.get(states.size() - 1).running()).isZero();
        assertThat(states.stream().mapToInt(Day.State::running).max().orElseThrow())
                .isGreaterThan(3);
    }
}
