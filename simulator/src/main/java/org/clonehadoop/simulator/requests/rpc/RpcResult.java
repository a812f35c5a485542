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

/**
 * What came of a run; latencies in microseconds.
 *
 * @param throughput answered requests per second, until the last was sent
 * @param cloned share of requests
 * @param dropped share of clones, by busy servers
 * @param emptyQueues share of answers that left no queue behind
 * @param lost share of requests that weren't answered
 */
public record RpcResult(
        RpcSpec spec,
        double mean,
        double p50,
        double p99,
        double p999,
        double throughput,
        double cloned,
        double dropped,
        double emptyQueues,
        double lost,
        long events) {
    /** The same of a run that had so many requests. */
    public RpcResult withRequests(long requests) {
        return new RpcResult(
                spec.withRequests(requests),
                mean,
                p50,
                p99,
                p999,
                throughput,
                cloned,
                dropped,
                emptyQueues,
                lost,
                events);
    }
}
