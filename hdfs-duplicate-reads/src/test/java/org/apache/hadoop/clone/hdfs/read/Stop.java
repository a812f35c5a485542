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
package org.apache.hadoop.clone.hdfs.read;

import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/**
 * Lets a DataNode's reads have some packets, and then holds them, as if its process were stopped:
 * connections stay open, and nothing comes.
 */
final class Stop extends DataTransferThrottler {
    private long packets;

    Stop(long packets) {
        super(Long.MAX_VALUE);
        this.packets = packets;
    }

    @Override
    public void throttle(long bytes) {
        throttle(bytes, null);
    }

    @Override
    public synchronized void throttle(long bytes, Canceler canceler) {
        packets--;
        while (packets < 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    synchronized void release() {
        packets = Long.MAX_VALUE;
        notifyAll();
    }
}
