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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;

class ReadSettingsTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void defaultsAreSensible() {
        assertThat(ReadSettings.of(conf))
                .contains(
                        new ReadSettings(
                                Policy.das(Duration.ofMillis(1)),
                                4 << 20,
                                16,
                                Optional.empty(),
                                false,
                                Optional.empty()));
    }

    @Test
    void eachPolicyHasItsTime() {
        conf.set(DuplicateReadKeys.DELAY, "500us");
        conf.set(DuplicateReadKeys.THRESHOLD, "2s");
        assertThat(policy("das")).isEqualTo(Policy.das(Duration.ofNanos(500_000)));
        assertThat(policy("cloning")).isEqualTo(Policy.cloning());
        assertThat(policy("hedged")).isEqualTo(Policy.hedged(Duration.ofSeconds(2)));
        assertThat(policy("app-timeout")).isEqualTo(Policy.appTimeout(Duration.ofSeconds(2)));
        assertThat(policy("tied")).isEqualTo(Policy.tied());
    }

    private Policy policy(String name) {
        conf.set(DuplicateReadKeys.POLICY, name);
        return ReadSettings.of(conf).orElseThrow().policy();
    }

    @Test
    void primariesMayWaitInAStage() {
        conf.set(DuplicateReadKeys.PRIMARY, "stage");
        assertThat(ReadSettings.of(conf).orElseThrow().stageWait()).contains(Duration.ofSeconds(2));
        conf.set(DuplicateReadKeys.STAGE_WAIT, "0");
        assertThatThrownBy(() -> ReadSettings.of(conf)).hasMessageContaining("1ms at least");
    }

    @Test
    void replicasMayBeChosenByWhatTheHostKnows() {
        conf.set(DuplicateReadKeys.PREFER, "c3");
        assertThat(ReadSettings.of(conf).orElseThrow().memory()).contains(Path.of("/dev/shm"));
    }

    @Test
    void offAndSingleAreNone() {
        for (String none : new String[] {"off", "single"}) {
            conf.set(DuplicateReadKeys.POLICY, none);
            assertThat(ReadSettings.of(conf)).isEmpty();
        }
    }

    @Test
    void whatMakesNoSenseIsSaid() {
        assertBad(DuplicateReadKeys.POLICY, "fast", "there are off, single,");
        assertBad(DuplicateReadKeys.DELAY, "soon", "give it a time");
        assertBad(DuplicateReadKeys.DELAY, "-1ms", "negative");
        assertBad(DuplicateReadKeys.WINDOW, "0", "give it 1 to 1g");
        assertBad(DuplicateReadKeys.WINDOW, "2g", "give it 1 to 1g");
        assertBad(DuplicateReadKeys.WINDOW, "large", "give it 1 to 1g");
        assertBad(DuplicateReadKeys.THREADS, "0", "at least");
        assertBad(DuplicateReadKeys.THREADS, "many", "at least");
        assertBad(DuplicateReadKeys.PORT_OFFSET, "10k", "give it a number");
        assertBad(DuplicateReadKeys.PORT_OFFSET, "0", "not 0");
        assertBad(DuplicateReadKeys.PREFER, "nearest", "there are namenode, c3");
        assertBad(DuplicateReadKeys.PRIMARY, "elsewhere", "there are direct, stage");
    }

    private static void assertBad(String key, String value, String why) {
        Configuration bad = new Configuration(false);
        bad.set(key, value);
        assertThatThrownBy(() -> ReadSettings.of(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(value)
                .hasMessageContaining(why);
        // A line in the log, and stock's reads.
        assertThat(DuplicateReadFileSystem.settings(bad)).isEmpty();
    }

    /** Both would duplicate each other's. */
    @Test
    void withStocksHedgedReadsItStaysOff() {
        assertThat(DuplicateReadFileSystem.settings(conf)).isPresent();
        conf.setInt(HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY, 4);
        assertThat(DuplicateReadFileSystem.settings(conf)).isEmpty();
    }
}
