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

import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

/** How long an attempt may be without progress. Reports come every 10 s, attempts take 100 s. */
class ProgressWatchTest {
    private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    private static final long REPORT_MILLIS = 10_000;
    private static final double MEAN = 100_000;
    private static final String SLOW = "h1";
    private static final String OTHER = "h2";

    private final ProgressWatch watch = new ProgressWatch(REPORT_MILLIS);
    private int attempts;

    private TaskAttemptId attempt(TaskType kind) {
        return MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(JOB, attempts++, kind), 0);
    }

    private void starts(TaskType kind, long millis) {
        TaskAttemptId attempt = attempt(kind);
        watch.began(attempt, OTHER, 5_000);
        watch.reported(attempt, 0.001f, null, 5_000 + millis / 2);
        watch.reported(attempt, 0.01f, null, 5_000 + millis);
        watch.reported(attempt, 0.5f, null, 5_000 + 10 * millis);
    }

    private void assertSparedUntil(TaskType kind, double millis) {
        assertSparedUntil(attempt(kind), millis);
    }

    private void assertSparedUntil(TaskAttemptId attempt, double millis) {
        assertThat(watch.isStarting(attempt, 0, millis - 1, MEAN)).isTrue();
        assertThat(watch.isStarting(attempt, 0, millis, MEAN)).isFalse();
    }

    @Test
    void whatHasMadeSomeProgressHasStarted() {
        assertThat(watch.isStarting(attempt(TaskType.MAP), 0.009, 1, MEAN)).isTrue();
        assertThat(watch.isStarting(attempt(TaskType.MAP), 0.01, 1, MEAN)).isFalse();
    }

    @Test
    void asLongAsNobodyHasStartedItMayTakeAllTheTime() {
        assertSparedUntil(TaskType.MAP, 160_000);
    }

    @Test
    void whereStartsAreQuickOneLikeItCouldHaveEnded() {
        starts(TaskType.MAP, 7_000);
        starts(TaskType.MAP, 9_000);
        assertSparedUntil(TaskType.MAP, 110_000);
    }

    @Test
    void whereStartsAreSlowItMayBeSlowerYet() {
        for (int i = 0; i < 2; i++) {
            starts(TaskType.MAP, 80_000);
            starts(TaskType.MAP, 100_000);
        }
        assertSparedUntil(TaskType.MAP, 145_000);
    }

    @Test
    void fewStartsSayLittle() {
        starts(TaskType.MAP, 80_000);
        assertSparedUntil(TaskType.MAP, 170_000);
        for (int i = 0; i < 15; i++) {
            starts(TaskType.MAP, 80_000);
        }
        assertSparedUntil(TaskType.MAP, 130_000);
    }

    @Test
    void whatEndsBeforeItsFirstReportHasStarted() {
        TaskAttemptId quick = attempt(TaskType.MAP);
        watch.began(quick, OTHER, 5_000);
        watch.ended(quick, true, 85_000);
        TaskAttemptId killed = attempt(TaskType.MAP);
        watch.began(killed, OTHER, 5_000);
        watch.ended(killed, false, 85_000);
        assertSparedUntil(TaskType.MAP, 170_000);
    }

    /** Where processors are busy, the first to start were the quick ones. */
    @Test
    void asLongAsMostHaveNotStartedItMayTakeLonger() {
        starts(TaskType.MAP, 60_000);
        watch.began(attempt(TaskType.MAP), OTHER, 5_000);
        assertSparedUntil(TaskType.MAP, 130_000);
        watch.began(attempt(TaskType.MAP), OTHER, 5_000);
        assertSparedUntil(TaskType.MAP, 190_000);
    }

    /** Of three, two are on a slow host. */
    @Test
    void whereMostOfItsHostHaveNotStartedItIsTheHost() {
        starts(TaskType.MAP, 80_000);
        TaskAttemptId late = attempt(TaskType.MAP);
        watch.began(late, SLOW, 5_000);
        watch.began(attempt(TaskType.MAP), SLOW, 5_000);
        assertSparedUntil(late, 170_000);
        // If others haven't either, those that have were only quick.
        watch.began(attempt(TaskType.MAP), OTHER, 5_000);
        assertSparedUntil(late, 250_000);
    }

    /** Whichever its kind. */
    @Test
    void whereOneWasAStragglerItIsNotSparedLonger() {
        starts(TaskType.REDUCE, 120_000);
        TaskAttemptId late = attempt(TaskType.REDUCE);
        watch.began(late, SLOW, 5_000);
        assertSparedUntil(late, 250_000);
        watch.suspect(SLOW);
        // Of two hosts one: that says nothing yet.
        assertSparedUntil(late, 250_000);
        TaskAttemptId third = attempt(TaskType.MAP);
        watch.began(third, "h3", 5_000);
        assertSparedUntil(late, 130_000);
    }

    @Test
    void mapsSayNothingOfReduces() {
        starts(TaskType.MAP, 7_000);
        assertSparedUntil(TaskType.REDUCE, 160_000);
    }

    /** It has its original's progress from its first report on. */
    @Test
    void aCloneStartsNothing() {
        TaskAttemptId clone = attempt(TaskType.MAP);
        watch.reported(clone, 0, null, 5_000);
        watch.reported(clone, 0.4f, null, 6_000);
        assertSparedUntil(TaskType.MAP, 160_000);
    }
}
