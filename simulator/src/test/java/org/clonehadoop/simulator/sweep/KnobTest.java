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
package org.clonehadoop.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.Rules;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.Resource;
import org.clonehadoop.simulator.regress.Scenarios;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.SlowHost;
import org.junit.jupiter.api.Test;

class KnobTest {
    private static Trial scenario(String name) {
        JobSpec spec = Scenarios.named(List.of(name)).get(name);
        return new Trial(name, spec, Rules.PRESET);
    }

    private static JobSpec set(String scenario, String key, String value) {
        return Knob.of(key).set(scenario(scenario), key, value).spec();
    }

    @Test
    void numbersOfTheWorldAreFoundWhereverTheyAre() {
        assertThat(set("log-normal-2", "hosts", "64").hosts()).isEqualTo(64);
        assertThat(set("log-normal-2", "containers", "double").host().containers()).isEqualTo(6);
        assertThat(set("log-normal-2", "vmMillis", "half").costs().vmMillis()).isEqualTo(750);
        assertThat(set("log-normal-2", "mapCpu", "0.5").program().mapCpu()).isEqualTo(0.5);
        assertThat(set("log-normal-2", "shape", "1.5").troubles())
                .containsExactly(new LogNormal(0.1, 1.5));
        assertThat(set("slow-host-cpu", "factor", "same").troubles())
                .containsExactly(SlowHost.always(1, Resource.CPU, 0.25));
        assertThat(set("slow-host-cpu", "count", "2.4").troubles())
                .containsExactly(SlowHost.always(2, Resource.CPU, 0.25));
    }

    @Test
    void onlyTheTroublesThatHaveItChange() {
        assertThat(set("slow-host-and-log-normal", "shape", "1").troubles())
                .containsExactly(SlowHost.always(1, Resource.CPU, 0.25), new LogNormal(0.1, 1));
    }

    @Test
    void whatAScenarioHasNotIsRefused() {
        assertThatThrownBy(() -> set("slow-map", "shape", "1"))
                .hasMessage("slow-map has no 'shape'");
        assertThatThrownBy(() -> set("log-normal-2", "shape", "wide"))
                .hasMessageContaining("'wide'");
        assertThatThrownBy(() -> set("log-normal-2", "shape", "off"))
                .hasMessage("shape can't be off");
        assertThatThrownBy(() -> set("even", "rule.nothing", "1"))
                .hasMessageContaining("rule.lately");
    }

    /** Words and flags aren't numbers. */
    @Test
    void whatIsNoNumberCannotBeVaried() {
        assertThatThrownBy(() -> set("even", "perSpill", "1")).hasMessageContaining("perSpill");
        assertThatThrownBy(() -> set("slow-host-cpu", "resource", "1"))
                .hasMessageContaining("resource");
    }

    @Test
    void keysReachTheConfiguration() {
        String slowStart = "mapreduce.job.reduce.slowstart.completedmaps";

        assertThat(set("even", slowStart, "0.5").configuration().getFloat(slowStart, 0))
                .isEqualTo(0.5f);
        assertThat(set("even", "beta", "2").conf()).containsEntry("mapreduce.clone.beta", "2");
    }

    /** An estimate is off by a factor from what is true at that point, in whatever order. */
    @Test
    void estimatesAreOverTheTruth() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("vm-estimate", "4");
        settings.put("bandwidth-estimate", "half");
        settings.put("vmMillis", "1000");
        settings.put("megabytesPerSecond", "40");

        JobSpec spec = new Point(settings).set(scenario("even")).spec();

        assertThat(spec.costs().vmMillis()).isEqualTo(1000);
        assertThat(spec.conf())
                .containsEntry("mapreduce.clone.vm-millis", "4000")
                .containsEntry("mapreduce.clone.bandwidth-per-second", "20480k");
    }
}
