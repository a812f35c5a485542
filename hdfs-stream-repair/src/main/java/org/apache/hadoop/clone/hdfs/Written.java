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
package org.apache.hadoop.clone.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * The part of a file that a copy of it needs, which may be less than the file has by now.
 *
 * @param finished its blocks that nobody writes to any more, in order, with their exact lengths
 * @param bytes its length, with what comes after them
 */
record Written(List<LocatedBlock> finished, long bytes) {
    /**
     * @param now the file's blocks as the NameNode has them now
     * @throws IOException if the file isn't the same any more
     */
    static Written of(StreamState state, LocatedBlocks now) throws IOException {
        List<LocatedBlock> finished = new ArrayList<>();
        long bytes = 0;
        if (state.lastBlock().isEmpty()) {
            return new Written(finished, bytes);
        }
        ExtendedBlock last = state.lastBlock().get();
        for (LocatedBlock block : all(now)) {
            if (!isSame(block.getBlock(), last)) {
                finished.add(block);
                bytes += block.getBlockSize();
                continue;
            }
            if (state.openBytes() == 0) {
                // The NameNode learns its length only when the next is begun.
                block.getBlock().setNumBytes(last.getNumBytes());
                finished.add(block);
                bytes += last.getNumBytes();
            }
            return new Written(finished, bytes + state.openBytes());
        }
        throw new IOException(state.path() + " has lost " + last);
    }

    /**
     * The same of a file that was closed.
     *
     * @throws IOException if the file isn't the same any more
     */
    static Written of(ClosedFile file, LocatedBlocks now) throws IOException {
        List<LocatedBlock> finished = new ArrayList<>();
        long bytes = 0;
        List<LocatedBlock> there = all(now);
        for (int i = 0; i < file.blocks().size(); i++) {
            ExtendedBlock block = file.blocks().get(i);
            if (i == there.size() || !isSame(block, there.get(i).getBlock())) {
                throw new IOException(file.path() + " has lost " + block);
            }
            // An append since then makes the last one longer: that is to be copied.
            if (there.get(i).getBlockSize() == block.getNumBytes()) {
                finished.add(there.get(i));
            }
            bytes += block.getNumBytes();
        }
        return new Written(finished, bytes);
    }

    private static boolean isSame(ExtendedBlock one, ExtendedBlock other) {
        return one.getBlockId() == other.getBlockId()
                && one.getBlockPoolId().equals(other.getBlockPoolId());
    }

    /** An empty block that is being written is missing among the others. */
    private static List<LocatedBlock> all(LocatedBlocks blocks) {
        List<LocatedBlock> all = new ArrayList<>(blocks.getLocatedBlocks());
        LocatedBlock last = blocks.getLastLocatedBlock();
        if (last != null
                && all.stream()
                        .noneMatch(
                                b -> b.getBlock().getBlockId() == last.getBlock().getBlockId())) {
            all.add(last);
        }
        return all;
    }
}
