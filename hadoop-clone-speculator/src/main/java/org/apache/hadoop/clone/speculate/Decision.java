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

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * What is done about one running attempt.
 *
 * @param score empty where none could be computed
 * @param obstacle why it couldn't be cloned, where that mattered
 */
record Decision(
        TaskAttemptId attempt,
        Outcome outcome,
        Reason reason,
        Optional<CloneScore> score,
        Optional<String> obstacle) {

    static Decision none(TaskAttemptId attempt, Reason reason) {
        return new Decision(attempt, Outcome.NONE, reason, Optional.empty(), Optional.empty());
    }

    /** One line for the log. */
    @Override
    public String toString() {
        StringBuilder line =
                new StringBuilder().append(outcome).append(' ').append(attempt).append(": ");
        line.append(reason.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        obstacle.ifPresent(why -> line.append(" (").append(why).append(')'));
        score.ifPresent(
                times ->
                        line.append(
                                String.format(
                                        Locale.ROOT,
                                        "; would end in %s by itself, %s as a clone, %s from zero",
                                        seconds(times.remainingMillis()),
                                        seconds(times.cloneEndMillis()),
                                        seconds(times.newEndMillis()))));
        gainMillis().ifPresent(gain -> line.append("; gains ").append(seconds(gain)));
        return line.toString();
    }

    private OptionalDouble gainMillis() {
        if (outcome == Outcome.NONE || score.isEmpty()) {
            return OptionalDouble.empty();
        }
        CloneScore times = score.get();
        return OptionalDouble.of(
                (outcome == Outcome.CLONE ? times : times.withoutClone()).gainMillis());
    }

    private static String seconds(double millis) {
        return Double.isInfinite(millis)
                ? "unlimited time"
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
}
