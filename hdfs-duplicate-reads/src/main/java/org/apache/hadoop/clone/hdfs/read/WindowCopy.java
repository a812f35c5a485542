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

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * What a duplicate has read: all that was missing of a window when it was sent.
 *
 * @param node where
 * @param from its first byte, in the block
 * @param pieces as {@link #piece} makes them, of which all bytes remain, whoever has looked into
 *     them
 * @param memory of the pieces, to be given back
 */
record WindowCopy(
        DatanodeInfo node, long from, List<ByteBuffer> pieces, DuplicateMemory.Part memory) {
    /** Less than half of a region of G1's, where it has room on its own. */
    private static final int PIECE = 256 << 10;

    /** Room for the next bytes. */
    static ByteBuffer piece(int missing) {
        return ByteBuffer.allocate(Math.min(missing, PIECE));
    }

    /** From a position in it on, what the piece has in which that is. */
    ByteBuffer from(long position) {
        int at = (int) (position - from);
        ByteBuffer rest = pieces.get(at / PIECE).duplicate();
        rest.position(at % PIECE);
        return rest;
    }

    int length() {
        return pieces.stream().mapToInt(ByteBuffer::remaining).sum();
    }
}
