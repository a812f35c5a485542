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
 * @param clockOffsetMillis how far its clock is ahead of ours, by the middle of the call
 * @param clockErrorMillis half of the call's time: the offset is that uncertain
 */
record Node(
        String name,
        NodeFacts facts,
        String trouble,
        long clockOffsetMillis,
        long clockErrorMillis) {
    static Node silent(String name, String trouble) {
        return new Node(name, null, trouble, 0, 0);
    }

    boolean answered() {
        return facts != null;
    }
}
