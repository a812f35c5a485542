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
package org.clonehadoop.simulator.requests.rpc;

import java.util.Collections;
import java.util.List;

/**
 * One run.
 *
 * @param workers of each server
 * @param jitter probability of a request to take 15 times as long
 * @param load what workers do of what they can, jitter included, without clones
 * @param points independent switches, each of which sees its share of all requests
 * @param clientMicros what an answer takes its client's processor, of which there are {@link
 *     #CLIENTS}; 0 for nothing
 * @param stopped a server that answers nothing, or -1
 */
public record RpcSpec(
        RpcScheme scheme,
        Service service,
        List<Integer> workers,
        double jitter,
        double load,
        long requests,
        int points,
        double clientMicros,
        int stopped,
        long seed) {
    /** Hosts that send requests, in the paper. */
    public static final int CLIENTS = 2;

    /** Six servers of 15 workers, p = 0.01. */
    public static RpcSpec paper(RpcScheme scheme, Service service, double load, long requests) {
        return new RpcSpec(
                scheme, service, Collections.nCopies(6, 15), 0.01, load, requests, 1, 0, -1, 1);
    }

    public RpcSpec with(List<Integer> others) {
        return new RpcSpec(
                scheme,
                service,
                others,
                jitter,
                load,
                requests,
                points,
                clientMicros,
                stopped,
                seed);
    }

    public RpcSpec withJitter(double other) {
        return new RpcSpec(
                scheme,
                service,
                workers,
                other,
                load,
                requests,
                points,
                clientMicros,
                stopped,
                seed);
    }

    public RpcSpec withPoints(int other) {
        return new RpcSpec(
                scheme,
                service,
                workers,
                jitter,
                load,
                requests,
                other,
                clientMicros,
                stopped,
                seed);
    }

    public RpcSpec withClientMicros(double other) {
        return new RpcSpec(
                scheme, service, workers, jitter, load, requests, points, other, stopped, seed);
    }

    public RpcSpec withStopped(int server) {
        return new RpcSpec(
                scheme,
                service,
                workers,
                jitter,
                load,
                requests,
                points,
                clientMicros,
                server,
                seed);
    }

    public RpcSpec withRequests(long other) {
        return new RpcSpec(
                scheme, service, workers, jitter, load, other, points, clientMicros, stopped, seed);
    }

    public RpcSpec withSeed(long other) {
        return new RpcSpec(
                scheme,
                service,
                workers,
                jitter,
                load,
                requests,
                points,
                clientMicros,
                stopped,
                other);
    }

    /** Requests per second. */
    public double rate() {
        int all = workers.stream().mapToInt(Integer::intValue).sum();
        return load * all / (service.mean(jitter) / 1e9);
    }
}
