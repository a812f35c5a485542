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
 * What came of a run; latencies in milliseconds, of requests after the incident if there is one.
 *
 * @param throughput answered requests per second
 * @param nodes at which replicas are selected in the end, clients among them
 * @param degraded share of clients that select for themselves although the scheme is another, in
 *     the end
 * @param events that happened
 */
public record StoreResult(
        StoreSpec spec,
        double mean,
        double p95,
        double p99,
        double p999,
        double throughput,
        int nodes,
        double degraded,
        long events) {}
