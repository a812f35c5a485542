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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EagerEstimatorTest {
    private final EagerEstimator estimator = new EagerEstimator();

    @BeforeEach
    void oneMapCrawls() {
        Configuration conf = new Configuration(false);
        conf.set(Crawl.ATTEMPTS, "m_000000_0");
        estimator.contextualize(conf, null);
    }

    private TaskAttemptId reported(String attempt, float progress) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = TypeConverter.toYarn(TaskAttemptID.forName("attempt_1_0001_" + attempt));
        status.progress = progress;
        estimator.updateAttempt(status, 0);
        return status.id;
    }

    @Test
    void whoCrawlsNeedsMuchLongerThanAnotherAttempt() {
        TaskAttemptId crawling = reported("m_000000_0", 0.5F);
        assertThat(estimator.estimatedRuntime(crawling))
                .isGreaterThan(10 * estimator.estimatedNewAttemptRuntime(crawling.getTaskId()));
    }

    @Test
    void whoDoesNotCrawlYetHasNoEstimate() {
        assertThat(estimator.estimatedRuntime(reported("m_000000_0", 0.1F))).isNegative();
    }

    @Test
    void othersHaveNone() {
        assertThat(estimator.estimatedRuntime(reported("m_000000_1", 0.5F))).isNegative();
        assertThat(estimator.estimatedRuntime(reported("m_000001_0", 0.5F))).isNegative();
    }
}
