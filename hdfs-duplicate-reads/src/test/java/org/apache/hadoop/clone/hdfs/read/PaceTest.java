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

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long LEAST = 1_000_000;

    private final Pace pace = new Pace();

    @Test
    void theFirstWindowIsGivenTheLeast() {
        assertThat(pace.patienceNanos(1 << 20, LEAST)).isEqualTo(LEAST);
    }

    @Test
    void othersTwiceTheMedianWhateverTheirSize() {
        pace.took(1000, 10_000_000, 0);
        pace.took(2000, 40_000_000, 0);
        pace.took(1000, 900_000_000, 0);
        assertThat(pace.patienceNanos(1000, LEAST)).isEqualTo(40_000_000);
        assertThat(pace.patienceNanos(500, LEAST)).isEqualTo(20_000_000);
    }

    @Test
    void twiceWhatAWindowTakesWithWhatItsApplicationDoes() {
        for (int i = 0; i < 3; i++) {
            pace.took(1000, 10_000_000, 50_000_000);
        }
        // 60 ms twice, of which it waits for all but the application's 50.
        assertThat(pace.patienceNanos(1000, LEAST)).isEqualTo(70_000_000);
    }

    @Test
    void triesNoSoonerThanWaitingTakesAsLongAsTheApplication() {
        pace.took(1000, 70_000_000, 50_000_000);
        assertThat(pace.patienceNanos(1000, LEAST)).isEqualTo(50_000_000);
        assertThat(pace.patienceNanos(1000, 0)).isZero();
    }

    @Test
    void triesNothingWhereTheApplicationIsSlowerThanItsDataNode() {
        pace.took(1000, 40_000_000, 50_000_000);
        assertThat(pace.patienceNanos(1000, LEAST)).isEqualTo(130_000_000);
    }

    @Test
    void neverLessThanTheLeast() {
        pace.took(1000, 10, 0);
        assertThat(pace.patienceNanos(1000, LEAST)).isEqualTo(LEAST);
    }

    @Test
    void atOnceIsForEachWindow() {
        for (int window = 0; window < 20; window++) {
            assertThat(pace.patienceNanos(1000, 0)).as("window %d", window).isZero();
            pace.took(1000, LEAST, 0);
        }
    }

    @Test
    void triesMoreAndMoreSeldomWhetherAnotherOneIsFaster() {
        List<Integer> tried = new ArrayList<>();
        for (int window = 0; window <= 40; window++) {
            if (pace.patienceNanos(1000, LEAST) == LEAST) {
                tried.add(window);
            }
            pace.took(1000, 10 * LEAST, 0);
        }
        assertThat(tried).containsExactly(0, 1, 2, 4, 8, 16, 32);
    }

    @Test
    void whatWasLongAgoIsForgotten() {
        for (int i = 0; i < 100; i++) {
            pace.took(1, 5_000_000, 0);
        }
        for (int i = 0; i < 8; i++) {
            pace.took(1, 3_000_000, 0);
        }
        assertThat(pace.patienceNanos(1, LEAST)).isEqualTo(6_000_000);
    }
}
