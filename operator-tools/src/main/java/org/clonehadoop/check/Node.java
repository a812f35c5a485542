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
package org.clonehadoop.check;

/**
 * A node and what it answered.
 *
 * @param name as the list of hosts has it
 * @param facts null if it didn't answer
 * @param trouble why it didn't; null if it did
 * @param clockOffsetMillis how far its clock is ahead of ours
 * @param clockErrorMillis the offset is that uncertain
 */
record Node(
        String name,
        NodeFacts facts,
        String trouble,
        long clockOffsetMillis,
        long clockErrorMillis) {
    /**
     * As NTP has it (RFC 5905, section 8): what of the call's time wasn't the probe's own was on
     * the way, there and back; half of it is how far the offset may be wrong.
     *
     * @param begunMillis when the call began, by our clock
     * @param endedMillis when it had ended
     */
    static Node of(String name, NodeFacts facts, long begunMillis, long endedMillis) {
        long there = facts.timeMillis() - begunMillis;
        long back = endedMillis - facts.endMillis();
        return new Node(name, facts, null, (there - back) / 2, (there + back) / 2);
    }

    static Node silent(String name, String trouble) {
        return new Node(name, null, trouble, 0, 0);
    }

    boolean answered() {
        return facts != null;
    }
}
