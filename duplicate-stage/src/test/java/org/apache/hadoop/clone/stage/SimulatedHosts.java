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
package org.apache.hadoop.clone.stage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A client's stage before hosts that have a stage each and do one thing at a time, on a virtual
 * clock: the paper's figure 3, without a network.
 */
final class SimulatedHosts {
    /**
     * A request and what it takes.
     *
     * @param hosts of the primary and of its duplicate
     * @param nanos that each of them takes
     */
    record Request(long arrivalNanos, int[] hosts, long[] nanos) {}

    private record Place(int request, int copy) {}

    private final List<Request> requests;
    private final List<Host> hosts = new ArrayList<>();
    private final QueueStage<Place> client;
    private final long[] responseNanos;
    private final boolean[] duplicated;
    private long now;

    private SimulatedHosts(List<Request> requests, int hostCount) {
        this.requests = requests;
        responseNanos = new long[requests.size()];
        duplicated = new boolean[requests.size()];
        for (int n = 0; n < hostCount; n++) {
            hosts.add(new Host());
        }
        client =
                new QueueStage<>(
                        new Network(),
                        Limit.fixed(Integer.MAX_VALUE),
                        Gate.open(),
                        Integer.MAX_VALUE,
                        () -> now);
    }

    /** How long each request took, in nanoseconds, if all are sent by one policy. */
    static long[] serve(List<Request> requests, int hostCount, Policy policy) {
        SimulatedHosts simulated = new SimulatedHosts(requests, hostCount);
        simulated.run(policy);
        return simulated.responseNanos;
    }

    /** Of which requests a duplicate was begun. */
    static boolean[] duplicated(List<Request> requests, int hostCount, Policy policy) {
        SimulatedHosts simulated = new SimulatedHosts(requests, hostCount);
        simulated.run(policy);
        return simulated.duplicated;
    }

    private void run(Policy policy) {
        int arrived = 0;
        while (true) {
            long next = arrived < requests.size() ? requests.get(arrived).arrivalNanos() : -1;
            OptionalLong delayed = client.schedule();
            if (delayed.isPresent()) {
                next = earlier(next, now + delayed.getAsLong());
            }
            for (Host host : hosts) {
                host.choose();
                next = earlier(next, host.endNanos());
            }
            if (next < 0) {
                return;
            }
            long passed = next - now;
            now = next;
            for (Host host : hosts) {
                host.pass(passed);
            }
            while (arrived < requests.size() && requests.get(arrived).arrivalNanos() == now) {
                client.dispatch(
                        new Job<>(
                                new JobId(arrived, 0),
                                policy,
                                List.of(new Place(arrived, 0), new Place(arrived, 1))));
                arrived++;
            }
        }
    }

    // Negative: never.
    private static long earlier(long one, long other) {
        return one < 0 || other >= 0 && other < one ? other : one;
    }

    static double percentile(long[] nanos, double percent) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(percent / 100 * sorted.length) - 1];
    }

    /** Takes copies to the host of each, at once. */
    private final class Network implements Server<Place> {
        @Override
        public void start(Copy<Place> copy, Progress progress) {
            Host host = hostOf(copy);
            host.progress.put(copy.work(), progress);
            host.stage.dispatch(copy);
        }

        @Override
        public void stop(Copy<Place> copy) {
            Host host = hostOf(copy);
            host.progress.remove(copy.work());
            host.stage.purge(other -> other.work().equals(copy.work()), Cascade.YES);
        }

        private Host hostOf(Copy<Place> copy) {
            return hosts.get(requests.get(copy.work().request()).hosts()[copy.work().copy()]);
        }
    }

    private final class Host implements Server<Place> {
        final QueueStage<Place> stage =
                new QueueStage<>(this, Limit.fixed(1), Gate.open(), Integer.MAX_VALUE, () -> now);
        // What the client's stage wants to hear.
        final Map<Place, Progress> progress = new HashMap<>();

        private final List<Serving> serving = new ArrayList<>();
        private Serving active;

        private static final class Serving {
            final Copy<Place> copy;
            final Progress progress;
            long leftNanos;

            Serving(Copy<Place> copy, Progress progress, long leftNanos) {
                this.copy = copy;
                this.progress = progress;
                this.leftNanos = leftNanos;
            }
        }

        @Override
        public void start(Copy<Place> copy, Progress mine) {
            Request request = requests.get(copy.work().request());
            duplicated[copy.work().request()] |= copy.number() > 0;
            serving.add(new Serving(copy, mine, request.nanos()[copy.work().copy()]));
            mine.started();
            Progress clients = progress.get(copy.work());
            if (clients != null) {
                clients.started();
            }
        }

        @Override
        public void stop(Copy<Place> copy) {
            serving.removeIf(one -> one.copy.equals(copy));
        }

        void choose() {
            active = null;
            for (Serving one : serving) {
                if (active == null && stage.mayGoOn(one.copy)) {
                    active = one;
                }
            }
        }

        long endNanos() {
            return active == null ? -1 : now + active.leftNanos;
        }

        void pass(long nanos) {
            if (active == null || !serving.contains(active)) {
                return; // purged at this very moment
            }
            active.leftNanos -= nanos;
            if (active.leftNanos == 0) {
                Serving done = active;
                serving.remove(done);
                int request = done.copy.work().request();
                responseNanos[request] = now - requests.get(request).arrivalNanos();
                done.progress.ended();
                Progress clients = progress.remove(done.copy.work());
                if (clients != null) {
                    clients.ended();
                }
            }
        }
    }
}
