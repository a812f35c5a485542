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

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CloneIdsTest {
    @Test
    void differInEachCloneWhateverTheKernelGives() {
        byte[] entropy = new byte[32];
        CloneIds one = new CloneIds(TaskJvm.ATTEMPT, 1, entropy);
        CloneIds other = new CloneIds(TaskJvm.ATTEMPT, 2, entropy);
        assertThat(one.clientId()).hasSize(16).isNotEqualTo(other.clientId());
        assertThat(one.suffix()).hasSize(8).isNotEqualTo(other.suffix());
    }

    @Test
    void neverComeTwice() throws Exception {
        CloneIds ids = CloneIds.of(TaskJvm.ATTEMPT, 1);
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            drawn.add(HexFormat.of().formatHex(ids.clientId()));
        }
        assertThat(drawn).hasSize(1000);
    }
}
