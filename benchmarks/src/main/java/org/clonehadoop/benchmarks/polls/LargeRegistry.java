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
package org.clonehadoop.benchmarks.polls;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.shuffle.SpillRegistry;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/** What a very large job's AppMaster knows of spills, without reduces that ask for it. */
final class LargeRegistry {
    static final int MAPS = 100_000;
    static final int SPILLS_OF_A_MAP = 5;
    static final int REDUCES = 5_000;
    static final int UPDATES = MAPS * (SPILLS_OF_A_MAP + 1);

    private static final int HOSTS = 5_000;

    /** One in so many partitions of a spill has no records. */
    private static final int EMPTY = 200;

    private final Random random = new Random(1);
    private final SpillRegistry registry = new SpillRegistry();
    private final String[] hosts = new String[HOSTS];

    LargeRegistry() throws IOException {
        for (int host = 0; host < HOSTS; host++) {
            hosts[host] = "http://host" + host + ":13562";
        }
        for (int map = 0; map < MAPS; map++) {
            publish(new TaskAttemptID("1", 1, TaskType.MAP, map, 0));
        }
    }

    private void publish(TaskAttemptID map) throws IOException {
        long chain = SpillNotice.NO_CHAIN;
        for (int spill = 0; spill < SPILLS_OF_A_MAP; spill++) {
            long next = random.nextLong();
            registry.finished(
                    map, notice(spill, chain, next), hosts[map.getTaskID().getId() % HOSTS]);
            chain = next;
        }
        registry.ended(map, SPILLS_OF_A_MAP, chain);
        registry.succeeded(map, 1);
    }

    /** As from a map: an array of all partitions' sizes for each would take minutes. */
    private SpillNotice notice(int spill, long previousChain, long chain) throws IOException {
        BitSet empty = new BitSet(REDUCES);
        for (int i = 0; i < REDUCES / EMPTY; i++) {
            empty.set(random.nextInt(REDUCES));
        }
        DataOutputBuffer out = new DataOutputBuffer();
        out.writeInt(spill);
        out.writeLong(previousChain);
        out.writeLong(chain);
        out.writeInt(0);
        long[] words = empty.toLongArray();
        WritableUtils.writeVInt(out, words.length);
        for (long word : words) {
            out.writeLong(word);
        }
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        SpillNotice notice = new SpillNotice();
        notice.readFields(in);
        return notice;
    }

    /** What a reduce is told that knows so many updates. */
    List<SpillUpdate> updates(int from, int most) {
        return registry.updates(random.nextInt(REDUCES), from, most);
    }

    static double liveHeapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
