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
package org.apache.hadoop.clone.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JobIdTest {
    @Test
    void equalNamesHaveEqualIdsAndOthersOthers() {
        assertThat(JobId.named("task_1_m_000001")).isEqualTo(JobId.named("task_1_m_000001"));
        assertThat(JobId.named("task_1_m_000001")).isNotEqualTo(JobId.named("task_1_m_000002"));
    }

    @Test
    void partsOfPartsDifferFromAllOthers() {
        JobId job = new JobId(1, 0);
        Set<JobId> all = new HashSet<>();
        for (int n = 0; n < 100; n++) {
            all.add(job.part(n));
            for (int m = 0; m < 100; m++) {
                all.add(job.part(n).part(m));
            }
        }
        assertThat(all).hasSize(100 + 100 * 100);
    }

    @Test
    void partsAreOfTheSameJobAndDiffer() {
        JobId job = JobId.random(new SplittableRandom(1));
        Set<JobId> all = new HashSet<>();
        all.add(job);
        for (int n = 0; n < 100; n++) {
            all.add(job.part(n));
            assertThat(job.part(n).isOfSameJobAs(job)).isTrue();
        }
        assertThat(all).hasSize(101);
        assertThat(job.isOfSameJobAs(JobId.random(new SplittableRandom(2)))).isFalse();
    }
}
