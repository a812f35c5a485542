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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

class FetchFailuresTest {
    private static final String HOST = "host:13562";
    private static final int MAPS = 100;

    private final FetchFailures failures = new FetchFailures(job());

    private static JobConf job() {
        JobConf job = new JobConf();
        job.setNumMapTasks(MAPS);
        return job;
    }

    @Test
    void countsAMapAtAHostUntilSomethingComes() {
        assertThat(failures.mapFailed(3, HOST)).isEqualTo(1);
        assertThat(failures.mapFailed(3, HOST)).isEqualTo(2);
        assertThat(failures.mapFailed(3, "other:13562")).isEqualTo(1);
        failures.succeeded(3, HOST);
        assertThat(failures.mapFailed(3, HOST)).isEqualTo(1);
    }

    @Test
    void reportsAsStockDoes() {
        assertThat(failures.isToBeReported(1, HOST, false, true)).as("no connection").isTrue();
        assertThat(failures.isToBeReported(1, HOST, true, false)).as("read error").isTrue();
        assertThat(failures.isToBeReported(9, HOST, false, false)).isFalse();
        assertThat(failures.isToBeReported(10, HOST, false, false)).as("every tenth").isTrue();
    }

    @Test
    void keepsReadErrorsToItselfIfThatIsWanted() {
        JobConf job = job();
        job.setBoolean(MRJobConfig.SHUFFLE_NOTIFY_READERROR, false);
        assertThat(new FetchFailures(job).isToBeReported(1, HOST, true, false)).isFalse();
    }

    @Test
    void reportsHostsThatFailAgainAndAgain() {
        for (int i = 0; i <= MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_HOST_FAILURES; i++) {
            assertThat(failures.isToBeReported(1, HOST, false, false)).isFalse();
            failures.hostFailed(HOST);
        }
        assertThat(failures.isToBeReported(1, HOST, false, false)).isTrue();
        failures.succeeded(0, HOST);
        assertThat(failures.isToBeReported(1, HOST, false, false)).isFalse();
    }

    @Test
    void givesUpAfterThirtyFailuresOrATenthOfTheMaps() {
        assertThat(failures.isHopeless(29)).isFalse();
        assertThat(failures.isHopeless(30)).isTrue();
        JobConf large = new JobConf();
        large.setNumMapTasks(1000);
        assertThat(new FetchFailures(large).isHopeless(99)).isFalse();
        assertThat(new FetchFailures(large).isHopeless(100)).isTrue();
    }

    @Test
    void leavesHostsAloneForLongerAndLonger() {
        assertThat(failures.penaltyMillis(1)).isEqualTo(13_000);
        assertThat(failures.penaltyMillis(2)).isEqualTo(16_900);
        assertThat(failures.penaltyMillis(100))
                .isEqualTo(MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_RETRY_DELAY);
    }

    @Test
    void takesTheReduceForIllWhenManyMapsFailAndFewAreDone() {
        for (int map = 0; map < 5; map++) {
            assertThat(failures.isReduceIll(4, 0, 1000, 1000)).isFalse();
            failures.mapFailed(map, HOST);
        }
        assertThat(failures.isReduceIll(4, 0, 1000, 1000)).isTrue();
        assertThat(failures.isReduceIll(6, 0, 1000, 1000)).as("most are done").isFalse();
        for (int spill = 0; spill < 6; spill++) {
            failures.succeeded(9, HOST);
        }
        assertThat(failures.isReduceIll(4, 0, 1000, 1000)).as("most fetches succeed").isFalse();
    }

    @Test
    void takesItForWellWhenItHasMostAndIsntStalled() {
        for (int i = 0; i < 200; i++) {
            failures.mapFailed(i % 10, HOST);
        }
        assertThat(failures.isReduceIll(60, 499, 1000, 10)).isFalse();
        assertThat(failures.isReduceIll(60, 500, 1000, 10)).isTrue();
        assertThat(failures.isReduceIll(60, 500, 10, 1001)).as("maps take longer").isFalse();
    }
}
