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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnfinishedSessionsTest {
    private static final String BEGIN = "benchmarks/whole-jobs/run";

    private static JobLine job(String round, String variant, String command) {
        return Jobs.job("v", "even", variant, round, 100, 500, Map.of("command", command));
    }

    @Test
    void aSessionWithFewerJobsThanItsCommandAsksForIsUnfinished() {
        String one = BEGIN + " --runs 1 --out /tmp/a.ndjson --variants stock,all even";
        String two = BEGIN + " --runs 1 --variants stock,all even late-map";
        List<JobLine> kept =
                List.of(
                        job("1-1", "stock", one),
                        job("1-1", "all", one),
                        job("2-1", "stock", two),
                        job("2-1", "all", two));

        assertThat(UnfinishedSessions.of(kept)).isEqualTo(new UnfinishedSessions(2, 1));
    }

    @Test
    void aCommandWithoutVariantsOrRunsAsksForFiveRoundsOfTwo() {
        List<JobLine> whole =
                List.of("1", "2", "3", "4", "5").stream()
                        .flatMap(
                                round ->
                                        List.of("stock", "all").stream()
                                                .map(
                                                        variant ->
                                                                job(
                                                                        "1-" + round,
                                                                        variant,
                                                                        BEGIN + " even")))
                        .toList();

        assertThat(UnfinishedSessions.of(whole)).isEqualTo(new UnfinishedSessions(1, 0));
        assertThat(UnfinishedSessions.of(whole.subList(0, 9)))
                .isEqualTo(new UnfinishedSessions(1, 1));
    }

    @Test
    void sessionsThatDoNotTellWhatTheyWereAskedForAreNotCounted() {
        List<JobLine> untold =
                List.of(
                        Jobs.job("v", "even", "stock", "1-1", 100),
                        job("2-1", "stock", BEGIN + " --runs 5"));

        assertThat(UnfinishedSessions.of(untold)).isEqualTo(new UnfinishedSessions(0, 0));
    }
}
