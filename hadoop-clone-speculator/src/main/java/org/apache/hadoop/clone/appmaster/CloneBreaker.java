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
package org.apache.hadoop.clone.appmaster;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Remembers clones that came to nothing, and so what isn't to be cloned: an attempt that can't be,
 * a task whose clone died, and after too much trouble with clones in a row nothing of the job.
 *
 * <p>Not thread-safe.
 */
final class CloneBreaker {
    /** Many obstacles pass: a phase, another process, a connection. */
    private static final long ASK_AGAIN_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final long most;
    private final Map<TaskAttemptId, Refusal> refusals = new HashMap<>();
    private final Map<TaskId, String> deaths = new HashMap<>();
    private int failuresInARow;
    private int deathsInARow;

    private record Refusal(String why, long untilMillis) {}

    /**
     * @param most failures, or deaths, in a row with which the job clones no more; at least 1
     */
    CloneBreaker(long most) {
        this.most = most;
    }

    /** Why the attempt isn't to be cloned now; empty if nothing is known against it. */
    Optional<String> obstacle(TaskAttemptId attempt, long nowMillis) {
        if (failuresInARow >= most) {
            return Optional.of(failuresInARow + " clones in a row came to nothing");
        }
        if (deathsInARow >= most) {
            return Optional.of(deathsInARow + " clones in a row died after they ran");
        }
        String death = deaths.get(attempt.getTaskId());
        if (death != null) {
            return Optional.of(death);
        }
        return Optional.ofNullable(refusals.get(attempt))
                .filter(refusal -> nowMillis < refusal.untilMillis())
                .map(Refusal::why);
    }

    /**
     * A clone never ran.
     *
     * @param state in which that happened
     * @return whether it is another reason than the attempt's last one
     */
    boolean cameToNothing(
            TaskAttemptId original,
            CloneState state,
            CloneEvent event,
            String why,
            long nowMillis) {
        if (Fault.of(state, event) == Fault.CLONING) {
            failuresInARow++;
        }
        // Who says as soon as it is asked that it can't be cloned now has cost nothing; and what is
        // switched off may be switched on again.
        boolean passes =
                state == CloneState.ASKED && event == CloneEvent.REFUSED
                        || event == CloneEvent.SWITCHED_OFF;
        long untilMillis = passes ? nowMillis + ASK_AGAIN_MILLIS : Long.MAX_VALUE;
        Refusal last = refusals.put(original, new Refusal(why, untilMillis));
        return last == null || !last.why().equals(why);
    }

    /** A clone runs: clones can be made. */
    void ran() {
        failuresInARow = 0;
    }

    /** A clone has died by itself after it ran; others of its task would mostly die of the same. */
    void died(TaskId task, String why) {
        deaths.put(task, why);
        deathsInARow++;
    }

    /** A clone has succeeded. One that was only killed may have been about to die. */
    void won() {
        deathsInARow = 0;
    }
}
