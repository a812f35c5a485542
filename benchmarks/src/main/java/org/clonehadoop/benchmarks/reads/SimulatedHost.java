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
package org.clonehadoop.benchmarks.reads;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.clone.stage.Cascade;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;

/**
 * A DataNode with a disk and a stage: duplicates are served through it while no primary reads from
 * the disk, by whichever way that came. Who else reads it doesn't know.
 */
final class SimulatedHost {
    private final int packets;
    private final SimulatedDisk disk;
    private final QueueStage<SimulatedHosts.Place> stage;
    private final Map<SimulatedHosts.Place, Reading> readings = new HashMap<>();
    private int direct;

    /**
     * @param packets of a request
     */
    SimulatedHost(int packets, SimulatedDisk disk, Limit limit, LongSupplier clock) {
        this.packets = packets;
        this.disk = disk;
        this.stage =
                new QueueStage<>(
                        new DiskServer(),
                        limit,
                        duplicate -> direct == 0,
                        Integer.MAX_VALUE,
                        clock);
    }

    SimulatedDisk disk() {
        return disk;
    }

    /** As a stock DataNode serves it: at once, whoever else there is. */
    void serve(Copy<SimulatedHosts.Place> copy, Server.Progress progress) {
        direct++;
        Reading reading = new Reading(copy, progress, true);
        readings.put(copy.work(), reading);
        disk.add(reading);
    }

    /** Through the stage. */
    void queue(Copy<SimulatedHosts.Place> copy, Server.Progress progress) {
        readings.put(copy.work(), new Reading(copy, progress, false));
        stage.dispatch(copy);
    }

    /** Its connection has ended. */
    void purge(Copy<SimulatedHosts.Place> copy) {
        Reading reading = readings.get(copy.work());
        if (reading != null && reading.direct) {
            end(reading);
        } else {
            stage.purge(other -> other.work().equals(copy.work()), Cascade.YES);
            readings.remove(copy.work());
        }
    }

    /** Lets those begin who may. */
    void schedule(long now) {
        stage.schedule();
        disk.begin(now);
    }

    private void end(Reading reading) {
        readings.remove(reading.copy.work());
        disk.remove(reading);
        direct -= reading.direct ? 1 : 0;
    }

    private final class DiskServer implements Server<SimulatedHosts.Place> {
        @Override
        public void start(Copy<SimulatedHosts.Place> copy, Progress stages) {
            Reading reading = readings.get(copy.work());
            reading.stages = stages;
            disk.add(reading);
            stages.started();
        }

        @Override
        public void stop(Copy<SimulatedHosts.Place> copy) {
            Reading reading = readings.get(copy.work());
            if (reading != null) {
                end(reading);
            }
        }
    }

    private final class Reading implements SimulatedDisk.Reader {
        private final Copy<SimulatedHosts.Place> copy;
        private final Server.Progress clients;
        private final boolean direct;
        private Server.Progress stages;
        private int left = packets;

        /**
         * @param clients what its client's stage wants to hear
         */
        Reading(Copy<SimulatedHosts.Place> copy, Server.Progress clients, boolean direct) {
            this.copy = copy;
            this.clients = clients;
            this.direct = direct;
        }

        @Override
        public boolean mayGoOn() {
            return direct || stage.mayGoOn(copy);
        }

        @Override
        public boolean served() {
            if (left == packets) {
                // A DataNode answers when it has read the block's checksums.
                clients.started();
            }
            left--;
            if (stages != null) {
                stages.served(1);
            }
            if (left == 0) {
                end(this);
                if (stages != null) {
                    stages.ended();
                }
                clients.ended();
            }
            return left > 0;
        }
    }
}
