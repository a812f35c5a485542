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
package org.apache.hadoop.clone.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * One finished spill of a map. Its chain is a checksum of everything that the map has put out until
 * the spill's end: two attempts with the same chain have put out the same, spill for spill.
 */
@InterfaceAudience.Private
public final class SpillNotice implements Writable {
    /** Chain before the first spill. */
    public static final long NO_CHAIN = 0;

    private int index;
    private long previousChain;
    private long chain;
    private int servedAs;
    private BitSet empty = new BitSet();

    /** For deserialization. */
    public SpillNotice() {}

    /**
     * @param index of the spill in its map, from 0
     * @param previousChain chain of the spill before
     * @param servedAs attempt number in the id under which the spill's host serves it
     * @param empty the partitions that the spill has no records for; not changed from now on
     */
    public SpillNotice(int index, long previousChain, long chain, int servedAs, BitSet empty) {
        this.index = index;
        this.previousChain = previousChain;
        this.chain = chain;
        this.servedAs = servedAs;
        this.empty = empty;
    }

    /**
     * As above.
     *
     * @param bytes of records that the spill has for each partition, before they are compressed
     */
    public SpillNotice(int index, long previousChain, long chain, int servedAs, long... bytes) {
        this(index, previousChain, chain, servedAs, new BitSet());
        for (int partition = 0; partition < bytes.length; partition++) {
            empty.set(partition, bytes[partition] == 0);
        }
    }

    public int index() {
        return index;
    }

    public long previousChain() {
        return previousChain;
    }

    public long chain() {
        return chain;
    }

    public int servedAs() {
        return servedAs;
    }

    /** The partitions that the spill has no records for. */
    public BitSet emptyPartitions() {
        return (BitSet) empty.clone();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeInt(index);
        out.writeLong(previousChain);
        out.writeLong(chain);
        out.writeInt(servedAs);
        long[] words = empty.toLongArray();
        WritableUtils.writeVInt(out, words.length);
        for (long word : words) {
            out.writeLong(word);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        index = in.readInt();
        previousChain = in.readLong();
        chain = in.readLong();
        servedAs = in.readInt();
        // Grows with what really comes, whatever the number says.
        LongStream.Builder read = LongStream.builder();
        for (int left = WritableUtils.readVInt(in); left > 0; left--) {
            read.add(in.readLong());
        }
        empty = BitSet.valueOf(read.build().toArray());
    }

    @Override
    public String toString() {
        return "spill " + index + " with chain " + Long.toHexString(chain);
    }
}
