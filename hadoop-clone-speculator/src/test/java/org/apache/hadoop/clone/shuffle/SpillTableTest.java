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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.junit.jupiter.api.Test;

class SpillTableTest {
    private static final int MAP = 0;
    private static final String HOST = "host:13562";
    private static final String URL = "http://" + HOST;

    private final SpillTable table = new SpillTable(1);

    @Test
    void wantsASpillFromWhereItWasLastSaidToBe() {
        table.apply(SpillUpdate.at(MAP, 0, 0, URL));
        table.apply(SpillUpdate.at(MAP, 0, 1, URL));
        assertThat(table.wants(MAP, 0, 1, HOST)).isTrue();
        assertThat(table.wants(MAP, 0, 0, HOST)).as("another attempt's").isFalse();
        assertThat(table.wants(MAP, 0, 1, "other:13562")).as("another host's").isFalse();
        assertThat(table.wants(MAP, 1, 1, HOST)).as("another spill").isFalse();
    }

    @Test
    void wantsNothingTwice() {
        table.apply(SpillUpdate.at(MAP, 0, 0, URL));
        table.fetched(MAP, 0);
        assertThat(table.wants(MAP, 0, 0, HOST)).isFalse();
        table.apply(SpillUpdate.at(MAP, 0, 1, URL));
        assertThat(table.wants(MAP, 0, 1, HOST)).isFalse();
    }

    @Test
    void wantsNothingOfACompleteMap() {
        table.apply(SpillUpdate.at(MAP, 0, 0, URL));
        table.apply(SpillUpdate.at(MAP, 1, 0, URL));
        table.fetched(MAP, 0);
        table.apply(SpillUpdate.done(MAP, 1, 0, 5));
        assertThat(table.incomplete()).isZero();
        assertThat(table.wants(MAP, 1, 0, HOST)).isFalse();
    }
}
