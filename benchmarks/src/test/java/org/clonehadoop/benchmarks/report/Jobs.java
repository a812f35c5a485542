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
package org.clonehadoop.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lines of jobs that might have been run. */
final class Jobs {
    /** Five rounds of three sessions, as a verdict needs. */
    static final List<String> ENOUGH = List.of("1-1", "1-2", "2-1", "2-2", "3-1");

    private Jobs() {}

    static JobLine job(
            String version, String trouble, String variant, String round, double seconds) {
        return job(version, trouble, variant, round, seconds, 500, Map.of());
    }

    static JobLine job(
            String version,
            String trouble,
            String variant,
            String round,
            double seconds,
            int megabytes,
            Map<String, Object> environment) {
        return new JobLine(
                version,
                trouble,
                variant,
                round,
                seconds,
                10,
                2,
                1,
                1,
                1,
                80.0,
                1000.0,
                null,
                null,
                null,
                10.0,
                seconds / 2,
                4 * seconds,
                3,
                1,
                null,
                false,
                megabytes,
                environment);
    }

    /** One without a second attempt of which anything is known. */
    static JobLine alone(
            String trouble, String variant, String round, double seconds, double thrownAway) {
        return JobLine.ofCounts(
                "v", trouble, variant, round, seconds, thrownAway, 0, 0, 0, 0, 500, Map.of());
    }

    /** The same, of which one task had two attempts at once, and the second won. */
    static JobLine speculated(JobLine line, String task) {
        return with(
                line,
                line.freezeMillis(),
                line.orderToRunningMillis(),
                List.of(task),
                List.of(task));
    }

    /** The same, with what it tells of its clones. */
    static JobLine cloned(JobLine line, Double freezeMillis, Double orderToRunningMillis) {
        return with(line, freezeMillis, orderToRunningMillis, line.speculated(), line.winners());
    }

    private static JobLine with(
            JobLine line,
            Double freezeMillis,
            Double orderToRunningMillis,
            List<String> speculated,
            List<String> winners) {
        return new JobLine(
                line.commit(),
                line.trouble(),
                line.variant(),
                line.round(),
                line.seconds(),
                line.thrownAwaySeconds(),
                line.extraAttempts(),
                line.extraAttemptsWon(),
                line.clonesLaunched(),
                line.clonesWon(),
                freezeMillis,
                orderToRunningMillis,
                speculated,
                winners,
                line.begunElsewhere(),
                line.mapSeconds(),
                line.mapsPhaseSeconds(),
                line.containersSeconds(),
                line.slowHostMaps(),
                line.slowHostReduces(),
                line.seed(),
                line.isFailed(),
                line.megabytes(),
                line.environment());
    }

    /** Rounds of a session in which stock took 100 s and CloneHadoop some others. */
    static Stream<JobLine> pairs(
            String version, String trouble, String session, int count, double seconds) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> session + "-" + number)
                .flatMap(
                        round ->
                                Stream.of(
                                        job(version, trouble, "stock", round, 100),
                                        job(version, trouble, "all", round, seconds)));
    }

    /** As {@link #pairs}, of so many rounds in each of three sessions. */
    static Stream<JobLine> inThreeSessions(
            String version, String trouble, int roundsEach, double seconds) {
        return Stream.of("1", "2", "3")
                .flatMap(session -> pairs(version, trouble, session, roundsEach, seconds));
    }

    /** One variant's in {@link #ENOUGH} rounds. */
    static Stream<JobLine> enough(String version, String trouble, String variant, double seconds) {
        return ENOUGH.stream().map(round -> job(version, trouble, variant, round, seconds));
    }

    @SafeVarargs
    static List<JobLine> all(Stream<JobLine>... some) {
        List<JobLine> all = new ArrayList<>();
        for (Stream<JobLine> lines : some) {
            lines.forEach(all::add);
        }
        return all;
    }
}
