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
package org.clonehadoop.benchmarks.transfers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.stage.Policy;
import org.clonehadoop.benchmarks.harness.Outcome;

/** Asks at given times, whatever has become of the requests before. */
public final class TransferLoop {
    private static final int HOPELESS_PER_SERVER = 200;
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** As many as there can be. */
    private static final int ENDLESS = Integer.MAX_VALUE;

    private final List<InetSocketAddress> servers;
    private final Transfer[] transfers;
    private final int[] bounds;
    private final Outcome all;
    private final List<Outcome> bySize = new ArrayList<>();
    private final Map<Integer, Long> due = new ConcurrentHashMap<>();

    /**
     * @param bounds of classes of sizes, each of which has an outcome of its own
     */
    public TransferLoop(List<InetSocketAddress> servers, Transfer[] transfers, int... bounds) {
        this.servers = servers;
        this.transfers = transfers;
        this.bounds = bounds;
        this.all = new Outcome(transfers.length);
        for (int i = 0; i <= bounds.length; i++) {
            bySize.add(new Outcome(0));
        }
    }

    /**
     * @param background long flows, in the order of their times as well
     * @param low a flow without an end from the first server, behind all others
     */
    public Outcome run(Policy policy, Transfer[] background, boolean low) throws IOException {
        try (TransferClient client = new TransferClient(servers, policy, this::done)) {
            if (low) {
                client.background(0, Kind.LOW_BACKGROUND, ENDLESS);
            }
            long begin = System.nanoTime();
            int flow = 0;
            for (int number = 0; number < transfers.length; number++) {
                Transfer transfer = transfers[number];
                while (flow < background.length && background[flow].nanos() <= transfer.nanos()) {
                    Transfer next = background[flow++];
                    client.background(next.first(), Kind.BACKGROUND, next.bytes());
                }
                client.sleepUntil(begin + transfer.nanos());
                all.began(System.nanoTime() - begin - transfer.nanos());
                all.came(number, due.size());
                if (due.size() >= HOPELESS_PER_SERVER * servers.size()) {
                    break;
                }
                due.put(number, begin + transfer.nanos());
                client.ask(number, transfer.bytes(), transfer.first(), transfer.second());
            }
            long limit = System.nanoTime() + DRAIN_NANOS;
            while (!due.isEmpty() && System.nanoTime() < limit) {
                client.sleepUntil(System.nanoTime() + LOOK_NANOS);
            }
            if (all.requests() < transfers.length) {
                all.abandoned();
            }
        }
        return all;
    }

    /** One more than there are bounds, after the run. */
    public List<Outcome> bySize() {
        return bySize;
    }

    /** Of the later copies nobody waits any more. */
    private void done(int number) {
        Long since = due.get(number);
        if (since == null) {
            return;
        }
        long took = System.nanoTime() - since;
        if (due.remove(number, since)) {
            all.ended(took);
            bySize.get(classOf(transfers[number].bytes(), bounds)).ended(took);
        }
    }

    static int classOf(int bytes, int... bounds) {
        int number = 0;
        while (number < bounds.length && bytes >= bounds[number]) {
            number++;
        }
        return number;
    }
}
