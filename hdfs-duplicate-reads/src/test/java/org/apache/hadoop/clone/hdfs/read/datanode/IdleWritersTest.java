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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleWritersTest {
    private int open = 2;
    private long written = 70;
    private long millis;
    private final IdleWriters writers =
            new IdleWriters(() -> open, () -> written, () -> TimeUnit.MILLISECONDS.toNanos(millis));

    @Test
    void areIdleWhenNothingHasComeForASecond() {
        assertThat(writers.count()).isZero();
        millis += 999;
        assertThat(writers.count()).isZero();
        millis++;
        assertThat(writers.count()).isEqualTo(2);
        open--;
        assertThat(writers.count()).isEqualTo(1);
        written++;
        assertThat(writers.count()).isZero();
        millis += 1000;
        assertThat(writers.count()).isEqualTo(1);
    }

    @Test
    void whatHasComeWhileNobodyLookedIsSeen() {
        writers.count();
        millis += 60_000;
        written++;
        assertThat(writers.count()).isZero();
    }
}
