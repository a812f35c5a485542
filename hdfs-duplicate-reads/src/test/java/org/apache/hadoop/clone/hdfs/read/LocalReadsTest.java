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

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.junit.jupiter.api.Test;

class LocalReadsTest {
    private static final String NO_LIBRARY = "libhadoop cannot be loaded.";

    private static ShortCircuitConf conf(boolean shortCircuit, boolean legacy) {
        Configuration conf = new Configuration(false);
        conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, shortCircuit);
        conf.setBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_LEGACY_BLOCKREADERLOCAL, legacy);
        return new ShortCircuitConf(conf);
    }

    @Test
    void withTheLibraryOrTheLegacyReaderFilesAreRead() {
        assertThat(LocalReads.obstacle(conf(true, false), null)).isEmpty();
        assertThat(LocalReads.obstacle(conf(true, true), NO_LIBRARY)).isEmpty();
    }

    @Test
    void withoutTheLibraryTheReasonIsSaidAndWhatToDo() {
        assertThat(LocalReads.obstacle(conf(true, false), NO_LIBRARY).orElseThrow())
                .contains(NO_LIBRARY, "install libhadoop.so", "dfs.client.duplicate.short-circuit");
    }

    @Test
    void withoutStocksKeyThereAreNoSuchReads() {
        assertThat(LocalReads.obstacle(conf(false, false), null).orElseThrow())
                .contains("dfs.client.read.shortcircuit isn't true");
    }

    @Test
    void theyAreRacedIfThatIsWantedAndNothingIsInTheWay() {
        assertThat(LocalReads.of(Optional.empty())).isEqualTo(LocalReads.RACED);
        assertThat(LocalReads.of(Optional.of("why"))).isEqualTo(LocalReads.STOCK);
    }
}
