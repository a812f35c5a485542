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
package org.apache.hadoop.clone.hdfs.read.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;

/**
 * The job for which a connection to a stage is, as its first bytes.
 *
 * <pre>
 *   4 "DSTG"   1 version   1 priority: 0 primary, 1 duplicate   1 flags: 1 if a block is named
 *  16 job      the block's 8 id   1 length of the pool's name   1 to 96 the name, in ASCII
 * </pre>
 *
 * Numbers have their highest byte first. What is unknown, a flag for example, isn't understood.
 *
 * @param block what is to be read: then the job gives way to what else is read from its volume
 *     only. Empty where nobody on the way may know it, with encrypted data transfer
 */
public record StageHeader(Priority priority, JobId job, Optional<BlockName> block) {
    /** Bytes of the longest header. */
    public static final int MOST_BYTES = 128;

    private static final int MAGIC = 0x44535447;
    private static final byte VERSION = 1;
    private static final byte BLOCK_NAMED = 1;

    private static final int FIXED_BYTES = 23;
    private static final int LEAST_BLOCK_BYTES = 9;

    /** Characters of the longest name of a pool. */
    static final int MOST_POOL = MOST_BYTES - FIXED_BYTES - LEAST_BLOCK_BYTES;

    /**
     * A block, as its DataNode finds it.
     *
     * @param pool of 1 to 96 printable ASCII characters, as the NameNode names pools
     */
    public record BlockName(String pool, long id) {
        public BlockName {
            if (!isPool(pool.getBytes(StandardCharsets.UTF_8))) {
                throw new IllegalArgumentException("no stage can be told of a pool '" + pool + "'");
            }
        }

        /** Whether a header has room for that pool's name, and words for it. */
        public static boolean canName(String pool) {
            return isPool(pool.getBytes(StandardCharsets.UTF_8));
        }

        private static boolean isPool(byte[] name) {
            for (byte character : name) {
                if (character <= ' ' || character > '~') {
                    return false;
                }
            }
            return name.length > 0 && name.length <= MOST_POOL;
        }
    }

    /** As it is sent; ready to be read from. */
    public ByteBuffer encode() {
        ByteBuffer to = ByteBuffer.allocate(MOST_BYTES);
        to.putInt(MAGIC);
        to.put(VERSION);
        to.put((byte) priority.ordinal());
        to.put(block.isPresent() ? BLOCK_NAMED : 0);
        to.putLong(job.whole());
        to.putLong(job.part());
        block.ifPresent(
                named -> {
                    byte[] pool = named.pool().getBytes(StandardCharsets.US_ASCII);
                    to.putLong(named.id());
                    to.put((byte) pool.length);
                    to.put(pool);
                });
        return to.flip();
    }

    /**
     * @param from what has come so far. Its position moves behind the header, or stays
     * @return empty if more has to come
     * @throws BadHeaderException as soon as whatever comes can't make a header of it
     */
    public static Optional<StageHeader> decode(ByteBuffer from) throws BadHeaderException {
        ByteBuffer in = from.duplicate();
        checkBeginning(in);
        if (in.remaining() < FIXED_BYTES) {
            return Optional.empty();
        }
        in.position(in.position() + Integer.BYTES + 1);
        Priority priority = priority(in.get());
        byte flags = in.get();
        if (flags != 0 && flags != BLOCK_NAMED) {
            throw new BadHeaderException("flags " + flags);
        }
        JobId job = new JobId(in.getLong(), in.getLong());
        Optional<BlockName> block = Optional.empty();
        if (flags == BLOCK_NAMED) {
            block = decodeBlock(in);
            if (block.isEmpty()) {
                return Optional.empty();
            }
        }
        from.position(in.position());
        return Optional.of(new StageHeader(priority, job, block));
    }

    private static void checkBeginning(ByteBuffer in) throws BadHeaderException {
        for (int i = 0; i < Math.min(Integer.BYTES, in.remaining()); i++) {
            byte expected = (byte) (MAGIC >>> Byte.SIZE * (Integer.BYTES - 1 - i));
            if (in.get(in.position() + i) != expected) {
                throw new BadHeaderException("no header of a job");
            }
        }
        if (in.remaining() > Integer.BYTES && in.get(in.position() + Integer.BYTES) != VERSION) {
            throw new BadHeaderException(
                    "version " + in.get(in.position() + Integer.BYTES) + ", not " + VERSION);
        }
    }

    private static Priority priority(byte code) throws BadHeaderException {
        if (code < 0 || code >= Priority.values().length) {
            throw new BadHeaderException("priority " + code);
        }
        return Priority.values()[code];
    }

    private static Optional<BlockName> decodeBlock(ByteBuffer in) throws BadHeaderException {
        if (in.remaining() < LEAST_BLOCK_BYTES) {
            return Optional.empty();
        }
        long id = in.getLong();
        byte length = in.get();
        if (length <= 0 || length > MOST_POOL) {
            throw new BadHeaderException("a pool's name of " + length + " bytes");
        }
        if (in.remaining() < length) {
            return Optional.empty();
        }
        byte[] pool = new byte[length];
        in.get(pool);
        if (!BlockName.isPool(pool)) {
            throw new BadHeaderException("a pool's name that isn't ASCII");
        }
        return Optional.of(new BlockName(new String(pool, StandardCharsets.US_ASCII), id));
    }
}
