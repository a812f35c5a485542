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
package org.apache.hadoop.clone.hdfs.read.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageAnswerTest {
    @Test
    void isReadAsItWasWritten() {
        for (StageAnswer answer : StageAnswer.values()) {
            assertThat(StageAnswer.of(answer.code())).contains(answer);
        }
        assertThat(StageAnswer.STARTED.code()).isEqualTo((byte) 'S');
        assertThat(StageAnswer.TURNED_AWAY.code()).isEqualTo((byte) 'F');
    }

    @Test
    void anotherServicesByteOrItsEndIsNone() {
        assertThat(StageAnswer.of(0)).isEmpty();
        assertThat(StageAnswer.of(-1)).isEmpty();
    }
}
