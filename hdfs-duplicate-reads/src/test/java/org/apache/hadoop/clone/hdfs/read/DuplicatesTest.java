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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;

import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

class DuplicatesTest {
    /** It is asked for in the caller's own thread, whose read goes on. */
    @Test
    void aJvmWithoutMd5HasJobsAsWell() {
        Duplicates duplicates =
                new Duplicates(
                        mock(DFSClient.class),
                        ReadSettings.of(new Configuration(false)).orElseThrow(),
                        "task_1_1_m_1");
        try (MockedStatic<JobId> ids = mockStatic(JobId.class, CALLS_REAL_METHODS)) {
            ids.when(() -> JobId.named(anyString()))
                    .thenThrow(new InternalError("MD5 not supported"));
            JobId first = duplicates.nextJob();
            assertThat(first.isOfSameJobAs(duplicates.nextJob())).isTrue();
        }
    }
}
