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
package org.clonehadoop.simulator.goals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.clonehadoop.simulator.figures.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GoalsCommandTest {
    @TempDir Path out;

    private static Interval at(double value) {
        return new Interval(value, value - 0.1, value + 0.1);
    }

    @Test
    void aBoundItselfIsReached() {
        assertThat(Goal.atMost("time", 0.7, at(0.7)).isReached()).isTrue();
        assertThat(Goal.atMost("time", 0.7, at(0.701)).isReached()).isFalse();
        assertThat(Goal.atLeast("won", 0.8, at(0.8)).isReached()).isTrue();
        assertThat(Goal.atLeast("won", 0.8, at(0.799)).isReached()).isFalse();
        assertThat(Goal.atLeast("won", 0.8, at(Double.NaN)).isReached()).isFalse();
    }

    /** The exit code says what the numbers say. */
    @Test
    void itFailsWhereAGoalIsNotReached() throws Exception {
        Path json = out.resolve("goals.json");

        int status =
                new CommandLine(new GoalsCommand())
                        .execute(
                                "--runs=2",
                                "--costs=measured",
                                "--scenarios=small-job,slow-map",
                                "--json=" + json);

        JsonNode numbers = new ObjectMapper().readTree(json.toFile());
        boolean all = true;
        int goals = 0;
        for (var fields = numbers.fields(); fields.hasNext(); ) {
            var field = fields.next();
            if (field.getKey().endsWith("_reached")) {
                all &= field.getValue().asBoolean();
                goals++;
            }
        }
        assertThat(goals).isEqualTo(13);
        assertThat(status).isEqualTo(all ? 0 : 1);
        double worst = numbers.path("measured_catalogue_worst_job_time_over_stock_s").asDouble();
        assertThat(worst).isBetween(0.5, 1.02);
        assertThat(numbers.path("measured_shape_2_job_time_over_the_oracle_s").asDouble())
                .isGreaterThan(0.9);
        double ours = thrownAway(numbers, "ours");
        double stocks = thrownAway(numbers, "stock_s");
        assertThat(ours / stocks)
                .isCloseTo(
                        numbers.path("measured_shape_10_container_time_thrown_away_over_stock_s")
                                .asDouble(),
                        within(1e-9));
        assertThat(
                        numbers.required(
                                        "measured_shape_10_stock_s_thrown_away_by_second"
                                                + "_attempts_that_were_replaced_attempts")
                                .asDouble())
                .isZero();
    }

    /** The four shares' sum. */
    private static double thrownAway(JsonNode numbers, String whose) {
        String name = "measured_shape_10_" + whose + "_thrown_away_";
        return Stream.of(
                        "by_originals_beside_second_attempts_that_won_s",
                        "by_second_attempts_that_lost_to_their_originals_s",
                        "by_second_attempts_that_were_replaced_s",
                        "otherwise_s")
                .mapToDouble(share -> numbers.required(name + share).asDouble())
                .sum();
    }
}
