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
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * What a duplicate has read: all that was missing of a window when it was sent.
 *
 * @param node where
 * @param from its first byte, in the block
 * @param bytes of which all remain, whoever has looked into them
 */
record WindowCopy(DatanodeInfo node, long from, ByteBuffer bytes) {
    /** What remains from a position on, maybe nothing. */
    ByteBuffer from(long position) {
        ByteBuffer rest = bytes.duplicate();
        rest.position((int) Math.min(rest.limit(), rest.position() + position - from));
        return rest;
    }

    int length() {
        return bytes.remaining();
    }
}
