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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Gate;
import org.apache.hadoop.clone.stage.Job;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;
import org.clonehadoop.benchmarks.harness.Outcome;

/** A client before DataNodes of which each block has replicas on two, on a virtual clock. */
final class SimulatedHosts {
    static final int PACKET_BYTES = 64 << 10;

    /** Where a copy of a request is read. */
    record Place(int request, int host) {}

    private static final long NEVER = Long.MAX_VALUE;

    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<SimulatedNoise> noises = new ArrayList<>();
    private final SplittableRandom random;
    private long now;

    /**
     * @param limits of what the stages serve at once
     */
    SimulatedHosts(
            int count,
            int requestBytes,
            double bytesPerSecond,
            boolean noise,
            Supplier<Limit> limits,
            long seed) {
        random = new SplittableRandom(seed);
        int packets = requestBytes / PACKET_BYTES;
        long packetNanos = Math.round(PACKET_BYTES / bytesPerSecond * 1e9);
        for (int n = 0; n < count; n++) {
            SimulatedDisk disk = new SimulatedDisk(packetNanos);
            hosts.add(new SimulatedHost(packets, disk, limits.get(), () -> now));
            SimulatedNoise other = new SimulatedNoise(random.split(), packets, packetNanos);
            if (noise) {
                noises.add(other);
            }
        }
    }

    /**
     * @param arrivals in nanoseconds, in order
     * @param queue whether primaries go through the stages as well
     */
    Outcome run(long[] arrivals, Policy policy, boolean queue) {
        return new Client(arrivals, policy, queue).run();
    }

    private final class Client implements Server<Place> {
        private final long[] arrivals;
        private final Policy policy;
        private final boolean queue;
        private final Outcome outcome;
        private final QueueStage<Place> stage =
                new QueueStage<>(
                        this,
                        Limit.fixed(Integer.MAX_VALUE),
                        Gate.open(),
                        Integer.MAX_VALUE,
                        () -> now);
        private int arrived;
        private int ended;

        Client(long[] arrivals, Policy policy, boolean queue) {
            this.arrivals = arrivals;
            this.policy = policy;
            this.queue = queue;
            this.outcome = new Outcome(arrivals.length);
        }

        Outcome run() {
            while (ended < arrivals.length) {
                now = next();
                while (arrived < arrivals.length && arrivals[arrived] <= now) {
                    ask();
                }
                for (int n = 0; n < hosts.size(); n++) {
                    if (hosts.get(n).disk().endNanos() <= now) {
                        hosts.get(n).disk().end();
                    }
                }
                for (int n = 0; n < noises.size(); n++) {
                    noises.get(n).end(now);
                    noises.get(n).begin(now, hosts.get(n).disk());
                }
            }
            return outcome;
        }

        /** When something happens next, after all has begun that may. */
        private long next() {
            OptionalLong delayed = stage.schedule();
            long next = delayed.isPresent() ? now + delayed.getAsLong() : NEVER;
            for (SimulatedHost host : hosts) {
                host.schedule(now);
                next = Math.min(next, host.disk().endNanos());
            }
            for (SimulatedNoise noise : noises) {
                next = Math.min(next, noise.beginsNanos());
            }
            return arrived < arrivals.length ? Math.min(next, arrivals[arrived]) : next;
        }

        private void ask() {
            int primary = random.nextInt(hosts.size());
            int other = (primary + 1 + random.nextInt(hosts.size() - 1)) % hosts.size();
            outcome.came(arrived, arrived - ended);
            stage.dispatch(
                    new Job<>(
                            new JobId(arrived, 0),
                            policy,
                            List.of(new Place(arrived, primary), new Place(arrived, other))));
            arrived++;
        }

        @Override
        public void start(Copy<Place> copy, Progress progress) {
            SimulatedHost host = hosts.get(copy.work().host());
            Progress mine = new Counted(copy, progress);
            if (copy.number() == 0 && !queue) {
                host.serve(copy, mine);
            } else {
                host.queue(copy, mine);
            }
        }

        @Override
        public void stop(Copy<Place> copy) {
            hosts.get(copy.work().host()).purge(copy);
        }

        /** What becomes of a copy is told to its stage, and its end put down. */
        private final class Counted implements Progress {
            private final Copy<Place> copy;
            private final Progress stages;

            Counted(Copy<Place> copy, Progress stages) {
                this.copy = copy;
                this.stages = stages;
            }

            @Override
            public void started() {
                stages.started();
            }

            @Override
            public void served(long amount) {
                stages.served(amount);
            }

            @Override
            public void needsNoPlace() {
                stages.needsNoPlace();
            }

            @Override
            public void ended() {
                ended++;
                outcome.ended(now - arrivals[copy.work().request()]);
                stages.ended();
            }

            @Override
            public void failed() {
                stages.failed();
            }
        }
    }
}
