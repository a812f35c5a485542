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
package org.apache.hadoop.clone.speculate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.ReduceYield.Backup;
import org.apache.hadoop.clone.speculate.ReduceYield.Fetching;
import org.apache.hadoop.clone.speculate.ReduceYield.Yield;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ReduceYieldTest {
    private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    private static final long LONG_ENOUGH = 60_000;

    private static TaskAttemptId id(TaskType kind, int task, int number) {
        return MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(JOB, task, kind), number);
    }

    /** The map ends in so many seconds by itself, in 20 as a clone and in 40 from zero. */
    private static Backup backup(int task, double remainingSeconds) {
        return backup(task, remainingSeconds, LONG_ENOUGH);
    }

    private static Backup backup(int task, double remainingSeconds, long waitedMillis) {
        return new Backup(
                id(TaskType.MAP, task, 1),
                waitedMillis,
                new CloneScore(remainingSeconds * 1000, 2000, 18_000, 40_000),
                Set.of("h1"));
    }

    private static Fetching fetching(int task, String host, double lossSeconds) {
        return new Fetching(id(TaskType.REDUCE, task, 0), host, lossSeconds * 1000);
    }

    private static List<Yield> decide(List<Backup> backups, List<Fetching> reduces) {
        return ReduceYield.decide(backups, reduces, 0.5);
    }

    @Test
    void theReduceThatLosesLeastGivesWay() {
        Backup backup = backup(0, 100);
        assertThat(
                        decide(
                                List.of(backup),
                                List.of(
                                        fetching(0, "h2", 7),
                                        fetching(1, "h3", 5),
                                        fetching(2, "h3", 6))))
                .containsExactly(new Yield(fetching(1, "h3", 5), backup));
    }

    @Test
    void ofThoseThatLoseAsMuchTheLastGivesWay() {
        assertThat(
                        decide(
                                List.of(backup(0, 100)),
                                List.of(fetching(0, "h2", 5), fetching(1, "h2", 5))))
                .extracting(Yield::reduce)
                .containsExactly(fetching(1, "h2", 5));
    }

    /** The reduce's 5 s, and half as much again, where a backup ends in 20 s. */
    @Test
    void theBackupMustSaveWhatTheReduceLosesAndItsPrice() {
        List<Fetching> reduces = List.of(fetching(0, "h2", 5));
        assertThat(decide(List.of(backup(0, 27.4)), reduces)).isEmpty();
        assertThat(decide(List.of(backup(0, 27.5)), reduces)).hasSize(1);
    }

    @Test
    void nobodyGivesWayBeforeTheBackupHasWaitedForWhatTheReduceLoses() {
        List<Fetching> reduces = List.of(fetching(0, "h2", 5));
        assertThat(decide(List.of(backup(0, 100, 4999)), reduces)).isEmpty();
        assertThat(decide(List.of(backup(0, 100, 5000)), reduces)).hasSize(1);
    }

    @Test
    void aContainerWhereTheBackupMustNotRunIsOfNoUse() {
        assertThat(decide(List.of(backup(0, 100)), List.of(fetching(0, "h1", 1)))).isEmpty();
        assertThat(
                        decide(
                                List.of(backup(0, 100)),
                                List.of(fetching(0, "h1", 1), fetching(1, "h2", 5))))
                .extracting(Yield::reduce)
                .containsExactly(fetching(1, "h2", 5));
    }

    @Test
    void aReduceOfWhichItIsNotKnownWhatItLosesStays() {
        assertThat(decide(List.of(backup(0, 100)), List.of(fetching(0, "h2", Double.NaN))))
                .isEmpty();
    }

    @Test
    void asManyGiveWayAsBackupsWait() {
        List<Fetching> reduces =
                List.of(fetching(0, "h2", 5), fetching(1, "h2", 4), fetching(2, "h3", 6));
        assertThat(decide(List.of(), reduces)).isEmpty();
        assertThat(decide(List.of(backup(0, 100), backup(1, 90)), reduces))
                .containsExactly(
                        new Yield(reduces.get(1), backup(0, 100)),
                        new Yield(reduces.get(0), backup(1, 90)));
    }

    @Test
    void whereThereAreFewReducesTheBackupThatGainsMostIsServed() {
        assertThat(decide(List.of(backup(0, 90), backup(1, 100)), List.of(fetching(0, "h2", 5))))
                .extracting(Yield::backup)
                .containsExactly(backup(1, 100));
    }

    @Test
    void aKeyTurnsItOff() {
        Configuration conf = new Configuration(false);
        assertThat(ReduceYield.isWanted(conf)).isTrue();
        conf.set(CloneKeys.REDUCE_YIELD, "false");
        assertThat(ReduceYield.isWanted(conf)).isFalse();
        conf.set(CloneKeys.REDUCE_YIELD, "perhaps");
        assertThat(ReduceYield.isWanted(conf)).as("as if it weren't there").isTrue();
        conf.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 2);
        assertThat(ReduceYield.isWanted(conf)).as("with a limit of running maps").isFalse();
    }

    @Test
    void noReduceGivesWayToMapsOfOtherNodes() {
        Configuration conf = new Configuration(false);
        conf.set(MRJobConfig.MAP_NODE_LABEL_EXP, "gpu");
        assertThat(ReduceYield.isWanted(conf)).isFalse();
        conf.set(MRJobConfig.REDUCE_NODE_LABEL_EXP, "gpu");
        assertThat(ReduceYield.isWanted(conf)).isTrue();
    }
}
