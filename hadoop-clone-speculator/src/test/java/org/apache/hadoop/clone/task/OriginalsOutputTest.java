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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a clone's clone: what belongs to those before it, and what doesn't. */
class OriginalsOutputTest {
    private static final String TASK = "attempt_1700000000000_0007_m_000003_";

    private final OriginalsOutput originals = new OriginalsOutput();

    @BeforeEach
    void addAncestors() {
        originals.add(TaskAttemptID.forName(TASK + "0"));
        originals.add(TaskAttemptID.forName(TASK + "1"));
    }

    @ParameterizedTest
    @CsvSource({
        "/out/_temporary/0/_temporary/ID0/part-m-00003, true",
        "/side/ID1, true",
        "/side/ID1-data, true",
        "/side/ID10/ID1, true",
        "/side/ID2/part-m-00003, false",
        "/side/ID10, false",
        "/side/task_1700000000000_0007_m_000003, false"
    })
    void knowsPathsByTheIdsInThem(String path, boolean theirs) {
        assertThat(originals.contains(path.replace("ID", TASK))).isEqualTo(theirs);
    }
}
