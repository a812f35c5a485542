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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.BlockReader;

/** A reader that has one way to read, into a buffer. */
abstract class BufferReader implements BlockReader {
    private final String what;

    /**
     * @param what it reads, for people
     */
    BufferReader(String what) {
        this.what = what;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(to, offset, length));
    }

    @Override
    public final int readAll(byte[] to, int offset, int length) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(to, offset, length);
        while (rest.hasRemaining()) {
            if (read(rest) < 0) {
                return rest.remaining() == length ? -1 : length - rest.remaining();
            }
        }
        return length;
    }

    @Override
    public final void readFully(byte[] to, int offset, int length) throws IOException {
        if (readAll(to, offset, length) < length) {
            throw new EOFException("the " + what + " ends before " + length + " bytes more");
        }
    }
}
