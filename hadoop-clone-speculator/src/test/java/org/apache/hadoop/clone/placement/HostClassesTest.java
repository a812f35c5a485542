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

class HostClassesTest {
    private final HostClasses classes = HostClasses.parse("a, b;c,d ,;e");

    @Test
    void hostsOfAClassAreTogether() {
        assertThat(classes.separate("a", "b")).isFalse();
        assertThat(classes.separate("d", "c")).isFalse();
        assertThat(classes.separate("a", "c")).isTrue();
        assertThat(classes.outside("a")).containsExactlyInAnyOrder("c", "d", "e");
    }

    @Test
    void aHostInNoClassCantClone() {
        assertThat(classes.separate("x", "a")).isTrue();
        assertThat(classes.separate("a", "x")).isTrue();
        assertThat(classes.outside("x")).hasSize(5);
    }

    @Test
    void withoutClassesAllHostsAreOne() {
        assertThat(HostClasses.parse("").separate("a", "b")).isFalse();
        assertThat(HostClasses.NONE.outside("a")).isEmpty();
        assertThat(HostClasses.NONE.hasPartner("a")).isTrue();
    }

    @Test
    void aHostOfNoClassOrAloneInItsOwnHasNoPartner() {
        assertThat(classes.hasPartner("a")).isTrue();
        assertThat(classes.hasPartner("e")).isFalse();
        assertThat(classes.hasPartner("f")).isFalse();
    }
}
