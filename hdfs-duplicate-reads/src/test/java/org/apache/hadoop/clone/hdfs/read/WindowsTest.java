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

class WindowsTest {
    private static final int KB = 1024;

    private static List<Long> sizes(Windows windows, long from, long end) {
        List<Long> sizes = new ArrayList<>();
        for (long at = from; at < end; ) {
            long next = windows.next(at, end);
            sizes.add(next - at);
            at = next;
        }
        return sizes;
    }

    @Test
    void aRangeIsCutOnlyWhereItIsTooLong() {
        assertThat(sizes(Windows.ofRange(1000), 7, 500)).containsExactly(493L);
        assertThat(sizes(Windows.ofRange(1000), 7, 2507)).containsExactly(1000L, 1000L, 500L);
    }

    @Test
    void aStreamsBecomeLarger() {
        assertThat(sizes(Windows.ofStream(1000 * KB), 1, 3000 * KB))
                .containsExactly(256L * KB, 512L * KB, 1000L * KB, 1000L * KB, 232L * KB - 1);
        assertThat(sizes(Windows.ofStream(64 * KB), 0, 130 * KB))
                .containsExactly(64L * KB, 64L * KB, 2L * KB);
    }

    @Test
    void theLargestDoesNotOverflow() {
        Windows windows = Windows.ofStream(Integer.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            assertThat(windows.next(0, Long.MAX_VALUE)).isPositive();
        }
    }
}
