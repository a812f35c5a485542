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
package org.clonehadoop.benchmarks.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingAppMasterTest {
    private static final JobId JOB = MRApps.toJobID("job_1700000000000_0001");
    private static final ContainerId CONTAINER =
            ContainerId.fromString("container_1700000000000_0001_01_000001");

    private final Configuration conf = new Configuration();
    private final PinnedClock clock = new PinnedClock();
    private final MirrorContext context = new MirrorContext(clock, event -> {});
    private RecordingAppMaster appMaster;

    @TempDir Path logs;

    @BeforeEach
    void itsContainerHasALogDirectory() {
        System.setProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR, logs.toString());
        clock.pin(1000);
        // Else a process has the metrics of one AppMaster only.
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @AfterEach
    void thereIsNone() {
        System.clearProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR);
    }

    /** With its configuration, and not more: the rest of what init does needs a cluster. */
    private Speculator speculator(String mode) throws ReflectiveOperationException {
        conf.set(CloneKeys.MODE, mode);
        appMaster = new RecordingAppMaster(CONTAINER, "h1", 1, 2, 3);
        Method setConfig =
                AbstractService.class.getDeclaredMethod("setConfig", Configuration.class);
        setConfig.setAccessible(true);
        setConfig.invoke(appMaster, conf);
        return appMaster.createSpeculator(conf, context);
    }

    @Test
    void whatItsSpeculatorIsToldIsAFeedInTheLogDirectory() throws Exception {
        RecordingSpeculator speculator = (RecordingSpeculator) speculator("on");
        context.setJob(new MirrorJob(JOB, 3, 1));
        speculator.init(conf);

        speculator.handle(new SpeculatorEvent(JOB, 900));
        clock.pin(2000);
        speculator.look();
        speculator.stop();

        List<FeedLine> feed = FeedReader.read(logs.resolve(RecordingAppMaster.FEED));
        assertThat(feed.get(0)).isInstanceOf(FeedLine.Begin.class);
        assertThat(feed.get(0).t()).isEqualTo(1000);
        assertThat(((FeedLine.Begin) feed.get(0)).conf()).containsEntry(CloneKeys.MODE, "on");
        assertThat(feed)
                .contains(
                        new FeedLine.JobIs(1000, JOB.toString(), 3, 1, null, null),
                        new FeedLine.Created(1000, 900),
                        new FeedLine.Look(2000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "shadow"})
    void withoutClonesNothingIsRecorded(String mode) throws Exception {
        assertThat(speculator(mode)).isNotInstanceOf(RecordingSpeculator.class);
        assertThat(logs).isEmptyDirectory();
    }
}
