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

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StayersTest {
    private final Set<String> there = new HashSet<>();
    private final Stayers stayers = new Stayers(() -> Set.copyOf(there));
    private int second = -5;

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            second++;
            stayers.sample(TimeUnit.SECONDS.toNanos(second));
        }
    }

    @Test
    void countsThoseThatHaveBeenThereForHalfAMinute() {
        there.addAll(Set.of("1 a", "2 b"));
        pass(1);
        pass(29);
        assertThat(stayers.count()).isZero();
        pass(1);
        assertThat(stayers.count()).isEqualTo(2);
        there.remove("1 a");
        pass(1);
        assertThat(stayers.count()).isOne();
    }

    @Test
    void oneThatGoesOnToAnotherBlockIsNew() {
        for (int block = 0; block < 60; block++) {
            there.clear();
            there.add("1 " + block);
            pass(2);
            assertThat(stayers.count()).isZero();
        }
    }
}
