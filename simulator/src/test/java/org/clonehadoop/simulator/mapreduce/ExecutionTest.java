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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.mapreduce.Execution.Position;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;
import org.junit.jupiter.api.Test;

class ExecutionTest {
    private static final Stage SPILL =
            Stage.working(Phase.MAP, new Load(4, 0, 0), 0, 0.5).publishing(0.5);
    private static final Stage REST = Stage.working(Phase.MAP, new Load(4, 0, 0), 0.5, 1);

    private static double publishesIn(Position position, double brake) {
        SimHost host = new SimHost("h", new HostSpec(1, 100, 100, 1), new Timeline(0));
        return new Execution(
                        List.of(SPILL, REST),
                        position,
                        host,
                        null,
                        new double[] {brake, brake},
                        null)
                .publishesInMillis();
    }

    @Test
    void publishesOnceTheSpillIsThroughAndLaterNoMore() {
        assertThat(publishesIn(Position.BEGIN, 1)).isCloseTo(4000, within(1.0));
        assertThat(publishesIn(new Position(0, 0.5), 1)).isCloseTo(2000, within(1.0));
        assertThat(publishesIn(new Position(0, 0.5), 20)).isCloseTo(40_000, within(1.0));
        assertThat(publishesIn(new Position(1, 0), 1)).isInfinite();
    }
}
