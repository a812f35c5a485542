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
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;

import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptCountersTest {
    private final Counters counters = new Counters();

    private TaskAttempt attempt(TaskType kind, Phase phase, double progress) {
        TaskAttempt attempt = mock(TaskAttempt.class);
        lenient()
                .when(attempt.getID())
                .thenReturn(
                        MRBuilderUtils.newTaskAttemptId(
                                MRBuilderUtils.newTaskId(
                                        MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1),
                                        0,
                                        kind),
                                0));
        lenient().when(attempt.getPhase()).thenReturn(phase);
        lenient().when(attempt.getProgress()).thenReturn((float) progress);
        lenient().when(attempt.getCounters()).thenReturn(counters);
        return attempt;
    }

    @ParameterizedTest
    @CsvSource({
        "MAP, 0.25, false, 1066.7",
        "MAP, 0.25, true, 1600",
        "MAP, 1, false, 400",
        "SORT, 0.8, false, 400",
        "MAP, 0, false, 0"
    })
    void aMapHasReadAllAfterTwoThirdsIfItIsToMerge(
            Phase phase, double progress, boolean mapsOnly, double whole) {
        counters.findCounter(FileInputFormatCounter.BYTES_READ).setValue(400);
        assertThat(AttemptCounters.inputBytes(attempt(TaskType.MAP, phase, progress), mapsOnly))
                .isEqualTo(whole, within(0.1));
    }

    @ParameterizedTest
    @CsvSource({"SHUFFLE, 0.1, 1000", "SORT, 0.4, 300", "REDUCE, 0.9, 300"})
    void aReduceHasFetchedAllAfterAThird(Phase phase, double progress, double whole) {
        counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).setValue(300);
        assertThat(AttemptCounters.inputBytes(attempt(TaskType.REDUCE, phase, progress), false))
                .isEqualTo(whole, within(0.1));
    }

    /** Another input format has no such counter, and the next one is one too many. */
    @Test
    void addsNoCounterToAMapThatCountsAsMuchAsItMay() {
        counters.findCounter(TaskCounter.MAP_INPUT_RECORDS).setValue(1);
        for (int i = 0; i < Limits.getCountersMax(); i++) {
            counters.findCounter("user's", "counter " + i).setValue(1);
        }

        assertThat(AttemptCounters.inputBytes(attempt(TaskType.MAP, Phase.MAP, 0.5), false))
                .isZero();
    }

    /** A generator's, or one that reads from somewhere else. */
    @Test
    void whatEveryMapReadsOfItsSplitIsNoInput() {
        counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).setValue(195);
        assertThat(AttemptCounters.inputBytes(attempt(TaskType.MAP, Phase.MAP, 0.5), true))
                .isZero();
        counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).setValue(4 << 20);
        assertThat(AttemptCounters.inputBytes(attempt(TaskType.MAP, Phase.MAP, 0.5), true))
                .isEqualTo(8 << 20);
    }

    @Test
    void beforeItsFirstReportNothingIsKnownAndNothingAdded() {
        assertThat(AttemptCounters.inputBytes(attempt(TaskType.MAP, Phase.MAP, 0.5), false))
                .isZero();
        assertThat(counters.countCounters()).isZero();
    }
}
