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
package org.clonehadoop.benchmarks.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.junit.jupiter.api.Test;

class EagerAppMasterTest {
    private static Optional<Estimate> estimate(String attempt, double progress) {
        Configuration conf = new Configuration(false);
        conf.set(Crawl.ATTEMPTS, "m_000000_0");
        return EagerAppMaster.eagerly(
                Crawlers.of(conf),
                TypeConverter.toYarn(TaskAttemptID.forName("attempt_1_0001_" + attempt)),
                progress);
    }

    @Test
    void whoCrawlsNeedsMuchLongerThanAnotherAttempt() {
        Estimate crawling = estimate("m_000000_0", 0.5).orElseThrow();
        assertThat(crawling.remaining()).isGreaterThan(10 * crawling.fresh());
        assertThat(crawling.done()).isEqualTo(0.5);
    }

    @Test
    void whoDoesNotCrawlYetHasNoEstimate() {
        assertThat(estimate("m_000000_0", 0.1)).isEmpty();
    }

    @Test
    void othersHaveNone() {
        assertThat(estimate("m_000000_1", 0.5)).isEmpty();
        assertThat(estimate("m_000001_0", 0.5)).isEmpty();
    }
}
