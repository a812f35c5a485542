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
package org.clonehadoop.simulator.cloning;

import java.util.List;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * A clone's files and its image on their way. They take their share of both hosts' links, and the
 * files of both disks as well; nothing travels faster than the cost book says.
 */
final class Travel {
    private final Runnable arrived;
    private final Timeline.Alarm soonest;
    private final List<SimHost.Activity> atHosts;
    private int left = 3;

    Travel(Timeline timeline, CostBook costs, Baggage baggage, Runnable arrived) {
        this.arrived = arrived;
        soonest =
                timeline.after(Math.round(costs.travelMillis(baggage.megabytes())), this::partEnds);
        atHosts =
                List.of(
                        baggage.from().begin(baggage.load(), 1, this::partEnds),
                        baggage.to().begin(baggage.load(), 1, this::partEnds));
    }

    /**
     * What a clone brings along.
     *
     * @param files megabytes, from disk to disk
     * @param image megabytes, from memory to memory
     */
    record Baggage(double files, double image, SimHost from, SimHost to) {
        double megabytes() {
            return files + image;
        }

        private Load load() {
            return new Load(0, files, megabytes());
        }

        /** What it would take, were both hosts to stay as they are. */
        double millis(CostBook costs) {
            return Math.max(
                    costs.travelMillis(megabytes()), Math.max(millisAt(from), millisAt(to)));
        }

        private double millisAt(SimHost host) {
            return megabytes() > 0 ? 1000 / host.speed(load(), 1, null) : 0;
        }
    }

    private void partEnds() {
        if (--left == 0) {
            arrived.run();
        }
    }

    /** It isn't wanted any more. */
    void stop() {
        soonest.cancel();
        atHosts.forEach(SimHost.Activity::stop);
    }
}
