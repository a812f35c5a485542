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
package org.clonehadoop.benchmarks.packets;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Gate;
import org.apache.hadoop.clone.stage.Job;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.clone.stage.Purge;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;

/**
 * The first stage, on the packets' way to the nodes: it gives them to the nodes by turns, and a
 * duplicate to the next node. Once sent a packet can't be taken back: where it isn't needed, the
 * short queue of the duplicates' program drops it (the paper's section 3.6).
 */
final class Balancer {
    /** Sends a packet. */
    @FunctionalInterface
    interface Link {
        void send(int node, Priority priority, int number);
    }

    /** A packet's place: a node, which is told the packet's number. */
    private record Place(int node, int number) {}

    /** DAS without its purge. */
    static final Policy DUPLICATED =
            new Policy(
                    List.of(new Policy.Duplicate(Priority.DUPLICATE, Duration.ZERO)),
                    Purge.NOTHING,
                    Purge.NOTHING);

    private final int nodes;
    private final Policy policy;
    private final QueueStage<Place> stage;

    /**
     * @param nodes 2 or more
     */
    Balancer(int nodes, Policy policy, Link link) {
        this.nodes = nodes;
        this.policy = policy;
        // A packet is on its way at once: there is nothing to be limited, and nothing waits.
        this.stage =
                new QueueStage<>(
                        new Server<>() {
                            @Override
                            public void start(Copy<Place> copy, Progress progress) {
                                link.send(
                                        copy.work().node(), copy.priority(), copy.work().number());
                                progress.ended();
                            }

                            @Override
                            public void stop(Copy<Place> copy) {
                                // It was sent.
                            }
                        },
                        Limit.fixed(2),
                        Gate.open(),
                        1,
                        System::nanoTime);
    }

    void pass(int number) {
        stage.dispatch(
                new Job<>(
                        new JobId(number, 0),
                        policy,
                        List.of(
                                new Place(number % nodes, number),
                                new Place((number + 1) % nodes, number))));
    }
}
