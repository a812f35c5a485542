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
package org.clonehadoop.benchmarks.straggler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowdownTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    void nobodyIsSlowUnlessConfigured() {
        assertThat(slowdownOf("m_000000_0")).isZero();
    }

    @Test
    void onlyTheListedAttemptsAreSlowAndNotTheirClones() {
        configuration.set(Slowdown.ATTEMPTS, "m_000003_0=4, r_000000_0=1.5");
        assertThat(slowdownOf("m_000003_0")).isEqualTo(4);
        assertThat(slowdownOf("r_000000_0")).isEqualTo(1.5);
        assertThat(slowdownOf("m_000003_1")).isZero();
        assertThat(slowdownOf("r_000003_0")).isZero();
    }

    @Test
    void theSameAttemptIsAsSlowInEveryJob() {
        configuration.setDouble(Slowdown.SCALE, 0.5);
        Slowdown slowdown = new Slowdown(configuration);
        assertThat(slowdown.of(TaskAttemptID.forName("attempt_1_0001_m_000007_0")))
                .isEqualTo(slowdown.of(TaskAttemptID.forName("attempt_2_0009_m_000007_0")))
                .isNotEqualTo(slowdown.of(TaskAttemptID.forName("attempt_1_0001_m_000007_1")));
    }

    @Test
    void anotherSeedMakesOthersSlow() {
        configuration.setDouble(Slowdown.SCALE, 0.5);
        double before = slowdownOf("m_000007_0");
        configuration.setLong(Slowdown.SEED, 2);
        assertThat(slowdownOf("m_000007_0")).isNotEqualTo(before);
    }

    @Test
    void thoseThatAreDrawnHaveABoundAndThoseThatAreListedHaveNone() {
        configuration.setDouble(Slowdown.SCALE, 0.5);
        configuration.setDouble(Slowdown.SHAPE, 10);
        configuration.set(Slowdown.ATTEMPTS, "m_000003_0=300");
        configuration.setDouble(Slowdown.MOST, 5);
        Slowdown slowdown = new Slowdown(configuration);
        double most =
                IntStream.range(0, 100)
                        .mapToObj(task -> String.format("attempt_1_0001_r_%06d_0", task))
                        .mapToDouble(name -> slowdown.of(TaskAttemptID.forName(name)))
                        .max()
                        .orElseThrow();
        assertThat(most).isEqualTo(5);
        assertThat(slowdownOf("m_000003_0")).isEqualTo(300);
    }

    @Test
    void theOthersAreLogNormal() {
        configuration.setDouble(Slowdown.SCALE, 0.5);
        configuration.setDouble(Slowdown.SHAPE, 0.8);
        Slowdown slowdown = new Slowdown(configuration);
        double[] logarithms =
                IntStream.range(0, 20_000)
                        .mapToObj(task -> String.format("attempt_1_0001_m_%06d_0", task))
                        .mapToDouble(name -> Math.log(slowdown.of(TaskAttemptID.forName(name))))
                        .toArray();
        double mean = Arrays.stream(logarithms).average().orElseThrow();
        double variance =
                Arrays.stream(logarithms).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
        assertThat(mean).isCloseTo(Math.log(0.5), within(0.02));
        assertThat(Math.sqrt(variance)).isCloseTo(0.8, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m_000003_0", "m_3_0=2", "x_000003_0=2", "m_000003_0=-1"})
    void saysWhichEntryIsWrong(String entry) {
        configuration.set(Slowdown.ATTEMPTS, entry);
        assertThatThrownBy(() -> new Slowdown(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Slowdown.ATTEMPTS);
    }

    private double slowdownOf(String attempt) {
        return new Slowdown(configuration).of(TaskAttemptID.forName("attempt_1_0001_" + attempt));
    }
}
