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
package org.apache.hadoop.clone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The figures as any JMX client sees them. */
class CloneMetricsTest {
    private static final String SYSTEM = "CloneMetricsTest";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final MetricsSystemImpl metrics = new MetricsSystemImpl(SYSTEM);
    private final CloneFigures figures =
            new CloneFigures(
                    "job_1_0001",
                    "on",
                    true,
                    Map.of("CLONE", Map.of("CLONE_IS_SOONER", 7L), "NONE", Map.of("NO_GAIN", 5L)),
                    Map.of("RUNNING", 2L, "PULLING", 0L),
                    Map.of("CLONES_WON", 3L, "FROZEN_MILLIS", 250L),
                    61_000,
                    Map.of(),
                    List.of());

    @AfterEach
    void stop() {
        metrics.unregisterSource(CloneMetrics.NAME);
        metrics.stop();
        metrics.shutdown();
    }

    private Object attribute(String name) throws Exception {
        return server.getAttribute(
                new ObjectName("Hadoop:service=" + SYSTEM + ",name=" + CloneMetrics.NAME), name);
    }

    @Test
    void eachFigureIsAnAttribute() throws Exception {
        metrics.init(SYSTEM);
        metrics.register(CloneMetrics.NAME, "clones", new CloneMetrics(() -> figures));
        assertThat(attribute("tag.JobId")).isEqualTo("job_1_0001");
        assertThat(attribute("tag.Context")).isEqualTo("mapred");
        assertThat(attribute("On")).isEqualTo(1);
        assertThat(attribute("ClonesWon")).isEqualTo(3L);
        assertThat(attribute("FrozenMillis")).isEqualTo(250L);
        assertThat(attribute("UnderWayRunning")).isEqualTo(2L);
        assertThat(attribute("UnderWayPulling")).isEqualTo(0L);
        assertThat(attribute("DecisionsCloneCloneIsSooner")).isEqualTo(7L);
        assertThat(attribute("DecisionsNoneNoGain")).isEqualTo(5L);
        assertThat(attribute("ExtraContainerMillis")).isEqualTo(61_000L);
    }

    @Test
    void aNameIsMadeOfAConstants() {
        assertThat(CloneMetrics.camel("ORDER_TO_RUNNING_MILLIS")).isEqualTo("OrderToRunningMillis");
    }
}
