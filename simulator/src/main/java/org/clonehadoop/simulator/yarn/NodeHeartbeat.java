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
package org.clonehadoop.simulator.yarn;

/**
 * When nodes report what they have free, and how much of it is given away then.
 *
 * @param millis from one to the next: {@code
 *     yarn.resourcemanager.nodemanagers.heartbeat-interval-ms}
 * @param most containers of a node that one gives away: {@code
 *     yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments}
 */
public record NodeHeartbeat(long millis, int most) {
    /** What a cluster has whose operator sets nothing. */
    public static final NodeHeartbeat PRESET = new NodeHeartbeat(1000, 100);
}
