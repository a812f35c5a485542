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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.datanode.StageSettings.Yield;
import org.apache.hadoop.clone.stage.ProbingLimit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageSettingsTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void defaultsAreThoseOfTheReference() {
        StageSettings settings = StageSettings.of(conf);
        assertThat(settings).isEqualTo(new StageSettings(Yield.VOLUME, 0, 1000, 10_000, 8, true));
        assertThat(settings.newLimit()).isInstanceOf(ProbingLimit.class);
    }

    @Test
    void allCanBeSet() {
        conf.set(DuplicateReadKeys.YIELD, " Node ");
        conf.set(DuplicateReadKeys.LIMIT, "3");
        conf.set(DuplicateReadKeys.QUEUE, "1");
        conf.set(DuplicateReadKeys.MAX_WAIT, "1500");
        conf.set(DuplicateReadKeys.TRAFFIC_CLASS, "0");
        conf.set(DuplicateReadKeys.IO_CLASS, "none");
        StageSettings settings = StageSettings.of(conf);
        assertThat(settings).isEqualTo(new StageSettings(Yield.NODE, 3, 1, 1500, 0, false));
        assertThat(settings.newLimit().level()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "yield, disk, set it to volume or active or node or none",
        "limit, -1, set it to a number from 0",
        "limit, many, set it to a number from 0",
        "queue, 0, set it to a number from 1",
        "max-wait, 0, set it to a time",
        "max-wait, -1s, set it to a time",
        "max-wait, soon, set it to a time",
        "max-wait, 25d, set it to a time",
        "traffic-class, 256, set it to a number from 0 to 255",
        "io-class, best-effort, set it to idle or none",
    })
    void whatIsWrongIsSaidWithTheFix(String key, String value, String fix) {
        conf.set("dfs.datanode.duplicate." + key, value);
        assertThatThrownBy(() -> StageSettings.of(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dfs.datanode.duplicate." + key + " is '" + value + "': ")
                .hasMessageContaining(fix);
    }
}
