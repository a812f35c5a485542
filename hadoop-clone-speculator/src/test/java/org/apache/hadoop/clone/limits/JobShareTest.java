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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobShareTest {
    private static final List<String> JOBS =
            IntStream.range(0, 10_000)
                    .mapToObj(number -> String.format("job_1700000000000_%04d", number))
                    .toList();

    private static List<String> jobs(int percent) {
        return JOBS.stream().filter(new JobShare(percent)::has).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 25, 50, 99})
    void aboutSoManyOfAHundredJobsAreIn(int percent) {
        assertThat(jobs(percent).size()).isCloseTo(percent * 100, within(100));
    }

    @Test
    void noneAndAllAreExact() {
        assertThat(jobs(0)).isEmpty();
        assertThat(jobs(100)).isEqualTo(JOBS);
    }

    @Test
    void aLargerShareHasThoseOfASmallerOne() {
        assertThat(jobs(30)).containsAll(jobs(10));
        assertThat(jobs(10)).isEqualTo(jobs(10));
    }

    @Test
    void aJobThatComesEveryTenthTimeIsNotAlwaysOut() {
        List<String> tenth = IntStream.range(0, 1000).mapToObj(n -> JOBS.get(n * 10)).toList();
        assertThat(tenth.stream().filter(new JobShare(20)::has).count())
                .isCloseTo(200, within(60L));
    }

    @Test
    void whatIsNoShareLetsNobodyIn() {
        assertThat(configured(null)).isEqualTo(100);
        assertThat(configured("7")).isEqualTo(7);
        for (String wrong : List.of("101", "-1", "ten", "5%")) {
            assertThat(configured(wrong)).as(wrong).isZero();
        }
    }

    private static int configured(String value) {
        Configuration conf = new Configuration(false);
        if (value != null) {
            conf.set(CloneKeys.PERCENT_OF_JOBS, value);
        }
        return JobShare.of(conf).percent();
    }
}
