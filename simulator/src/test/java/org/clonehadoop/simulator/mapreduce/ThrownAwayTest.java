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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.clonehadoop.benchmarks.feed.MirrorJob;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.mapreduce.ThrownAway.Share;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.SimHost;
import org.junit.jupiter.api.Test;

class ThrownAwayTest {
    private static final Share NOTHING = new Share(0, 0);

    private final SimHost host = new SimHost("h1", new HostSpec(1, 100, 100, 1), new Timeline(0));
    private final MirrorJob job = new MirrorJob(MRBuilderUtils.newJobId(1, 1, 1), 4, 0);
    private final List<TaskId> maps = List.copyOf(job.getTasks(TaskType.MAP).keySet());

    /** Its container is held from one second to another. */
    private SimAttempt attempt(int map, int number, long held, long finished) {
        TaskId task = maps.get(map);
        SimAttempt attempt =
                new SimAttempt(
                        job.getTask(task).attempt(MRBuilderUtils.newTaskAttemptId(task, number)));
        attempt.host = host;
        attempt.heldSinceMillis = 1000 * held;
        attempt.known.setLaunchTime(1000 * held + 500);
        attempt.known.setFinishTime(1000 * finished);
        attempt.known.setState(TaskAttemptState.KILLED);
        return attempt;
    }

    private static SimAttempt won(SimAttempt attempt) {
        attempt.known.setState(TaskAttemptState.SUCCEEDED);
        return attempt;
    }

    private static SimAttempt lostTo(SimAttempt winner, SimAttempt attempt) {
        attempt.winner = winner;
        return attempt;
    }

    private static SimAttempt replaced(SimAttempt attempt) {
        attempt.replaced = true;
        return attempt;
    }

    /** Of 50 s the original's last 29.5 are beside its clone: that one has the others. */
    @Test
    void anOriginalBesideACloneThatWonThrowsAwayWhatCameAfterItsLaunch() {
        SimAttempt clone = won(attempt(0, 1, 20, 50));
        SimAttempt original = lostTo(clone, attempt(0, 0, 0, 50));
        clone.original = original;
        clone.noteWhatItContinued();

        assertThat(ThrownAway.by(List.of(original, clone)))
                .isEqualTo(new ThrownAway(new Share(29.5, 1), NOTHING, NOTHING, NOTHING));
    }

    @Test
    void eachAttemptIsOfOneKind() {
        SimAttempt first = won(attempt(0, 1, 20, 50));
        SimAttempt second = won(attempt(1, 0, 0, 60));
        SimAttempt third = won(attempt(2, 2, 40, 70));
        SimAttempt fourth = won(attempt(3, 1, 12, 30));
        SimAttempt waited = lostTo(second, attempt(1, 2, 0, 60));
        waited.host = null;

        ThrownAway all =
                ThrownAway.by(
                        List.of(
                                lostTo(first, attempt(0, 0, 0, 50)), // 50 s
                                first,
                                second,
                                lostTo(second, attempt(1, 1, 53, 60)), // 7 s
                                waited,
                                lostTo(third, attempt(2, 0, 0, 70)), // 70 s
                                replaced(attempt(2, 1, 15, 38)), // 23 s
                                third,
                                attempt(3, 0, 0, 11), // with its host: 11 s
                                fourth));

        assertThat(all)
                .isEqualTo(
                        new ThrownAway(
                                new Share(120, 2),
                                new Share(7, 1),
                                new Share(23, 1),
                                new Share(11, 1)));
        assertThat(all.total()).isCloseTo(161, within(1e-9));
    }
}
