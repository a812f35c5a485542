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
package org.clonehadoop.simulator.requests.store;

/**
 * One run. What isn't here is as in the paper: 100 servers of 4 slots, exponential service of 4 ms
 * or, for 50 ms at a time, 1 ms; 3 replicas; 10⁸ keys by Zipf's law with 0.99.
 *
 * @param scheme of selection
 * @param clients hosts that send requests
 * @param utilisation t^kv A / (N_s N_p): 0.9 is 36 % of what servers can do in the mean
 * @param concurrency of a closed loop, and then utilisation means nothing; 0 for an open one
 * @param accelerator U: the share of an accelerator that selection may use
 * @param requests in all
 * @param congestion whether switches are congested now and then
 * @param incident on the way
 * @param seed of hosts' roles, and of all luck
 */
public record StoreSpec(
        Scheme scheme,
        int clients,
        double utilisation,
        int concurrency,
        double accelerator,
        long requests,
        boolean congestion,
        Incident incident,
        long seed) {
    /** Utilisation before a surge. */
    public static final double BEFORE = 0.5;

    /** The paper's default: 500 clients, utilisation 0.9, U = 25 %. */
    public static StoreSpec paper(Scheme scheme, long requests, long seed) {
        return new StoreSpec(scheme, 500, 0.9, 0, 0.25, requests, false, Incident.NONE, seed);
    }

    public StoreSpec withClients(int others) {
        return new StoreSpec(
                scheme,
                others,
                utilisation,
                concurrency,
                accelerator,
                requests,
                congestion,
                incident,
                seed);
    }

    public StoreSpec withUtilisation(double other) {
        return new StoreSpec(
                scheme,
                clients,
                other,
                concurrency,
                accelerator,
                requests,
                congestion,
                incident,
                seed);
    }

    public StoreSpec withConcurrency(int other) {
        return new StoreSpec(
                scheme,
                clients,
                utilisation,
                other,
                accelerator,
                requests,
                congestion,
                incident,
                seed);
    }

    public StoreSpec withAccelerator(double other) {
        return new StoreSpec(
                scheme,
                clients,
                utilisation,
                concurrency,
                other,
                requests,
                congestion,
                incident,
                seed);
    }

    public StoreSpec congested() {
        return new StoreSpec(
                scheme,
                clients,
                utilisation,
                concurrency,
                accelerator,
                requests,
                true,
                incident,
                seed);
    }

    public StoreSpec with(Incident other) {
        return new StoreSpec(
                scheme,
                clients,
                utilisation,
                concurrency,
                accelerator,
                requests,
                congestion,
                other,
                seed);
    }
}
