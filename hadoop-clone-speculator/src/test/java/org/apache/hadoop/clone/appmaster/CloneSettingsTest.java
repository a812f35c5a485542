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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.HostClasses;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloneSettingsTest {
    private static final CloneSettings PRESETS =
            new CloneSettings("criu-remote-clone", 120_000, 460_000, 3, true, HostClasses.NONE);

    private final Configuration conf = new Configuration(false);

    /** As Hadoop's files have it; its code has another preset. */
    @BeforeEach
    void setHadoopsPreset() {
        conf.setLong(MRJobConfig.TASK_TIMEOUT, 600_000);
    }

    @Test
    void whatIsNotConfiguredIsPreset() {
        assertThat(CloneSettings.of(conf)).isEqualTo(PRESETS);
    }

    @Test
    void whatIsConfiguredCounts() {
        conf.set(CloneKeys.TOOL, " /opt/tool ");
        conf.set(CloneKeys.TIME_LIMIT, "90s");
        conf.set(CloneKeys.MAX_FAILURES, "1");
        conf.set(CloneKeys.REDUCE, "false");
        assertThat(CloneSettings.of(conf))
                .isEqualTo(
                        new CloneSettings(
                                "/opt/tool", 90_000, 490_000, 1, false, HostClasses.NONE));
    }

    /** Hadoop ends an attempt that doesn't report. */
    @ParameterizedTest
    @CsvSource({
        "300000,600000,160000",
        "900000,600000,460000",
        "0,400000,260000",
        "0,0,604660000",
        "200000,0,120000"
    })
    void aClonesContainerWaitsNoLongerThanHadoopDoes(
            long reportsWithin, long beginsWithin, long mostMillis) {
        conf.setLong(MRJobConfig.TASK_TIMEOUT, reportsWithin);
        conf.setLong(MRJobConfig.TASK_STUCK_TIMEOUT_MS, beginsWithin);
        assertThat(CloneSettings.of(conf).mostPatienceMillis()).isEqualTo(mostMillis);
    }

    /** An AppMaster that can't be made costs the job. */
    @ParameterizedTest
    @CsvSource({
        CloneKeys.TIME_LIMIT + ",2 mins",
        CloneKeys.TIME_LIMIT + ",0",
        CloneKeys.TIME_LIMIT + ",-1s",
        CloneKeys.MAX_FAILURES + ",three",
        CloneKeys.MAX_FAILURES + ",0",
        CloneKeys.MAX_FAILURES + ",-1",
        CloneKeys.MAX_FAILURES + ",3000000000"
    })
    void whatIsConfiguredWronglyIsPreset(String key, String value) {
        conf.set(key, value);
        assertThat(CloneSettings.of(conf)).isEqualTo(PRESETS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "much"})
    void theTimeOfAJvmIsPresetUnlessItIsPositive(String millis) {
        CloneCosts presets = CloneSpeculator.configuredCosts(conf);
        conf.set(CloneKeys.VM_MILLIS, millis);
        assertThat(CloneSpeculator.configuredCosts(conf)).isEqualTo(presets);
    }
}
