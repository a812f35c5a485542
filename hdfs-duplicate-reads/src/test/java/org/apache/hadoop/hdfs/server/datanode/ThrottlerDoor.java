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
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** A door to what makes a DataNode's reads slow, or impossible. */
public final class ThrottlerDoor {
    private ThrottlerDoor() {}

    /**
     * @param throttler null for none
     */
    public static void set(DataNode node, DataTransferThrottler throttler) {
        node.getXferServer().setReadThrottler(throttler);
    }

    /**
     * Where its xceivers' threads are.
     *
     * @return where they were before
     */
    public static ThreadGroup setThreads(DataNode node, ThreadGroup group) {
        ThreadGroup before = node.threadGroup;
        node.threadGroup = group;
        return before;
    }
}
