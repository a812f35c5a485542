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
package org.apache.hadoop.clone.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentEndsTest {
    private final RecentEnds ends = new RecentEnds(3000);

    @Test
    void remembersThoseOfThreeSecondsAndWhere() {
        ends.ended("slow", 1000);
        ends.ended("a", 1000);
        ends.ended("slow", 2500);

        assertThat(ends.isAny("a"::equals, 3999)).isTrue();
        assertThat(ends.isAny("b"::equals, 3999)).isFalse();
        assertThat(ends.isAny("a"::equals, 4000)).isFalse();
        assertThat(ends.isAny("slow"::equals, 4000)).isTrue();
        assertThat(ends.isAny("slow"::equals, 5500)).isFalse();
    }
}
