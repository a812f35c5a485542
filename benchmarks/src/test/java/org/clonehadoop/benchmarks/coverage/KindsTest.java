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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KindsTest {
    @Test
    void eachHasAPlainNameOfItsOwn() {
        assertThat(Kinds.ALL)
                .extracting(Kind::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9_]+"));
    }

    @Test
    void thereAreAtLeastThirtyThatCanBeCloned() {
        assertThat(Kinds.ALL.stream().filter(kind -> kind.foreign().isEmpty()))
                .hasSizeGreaterThanOrEqualTo(30);
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThatThrownBy(() -> Kinds.named("nothing")).hasMessage("no kind 'nothing'");
    }
}
