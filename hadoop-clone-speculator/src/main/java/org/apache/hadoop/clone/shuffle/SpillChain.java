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
package org.apache.hadoop.clone.shuffle;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapreduce.CryptoUtils;

/**
 * The running checksum of a map's spills. A partition's share in it are its lengths and the CRC-32
 * with which stock ends it, so that nothing of the output is read again. Only encrypted partitions
 * are: their bytes, checksum and all, look different each time they are written.
 */
final class SpillChain {
    private static final int CRC_BYTES = 4;
    private static final int INDEX_FIELDS = 3;

    /** With which IFile ends a partition: two numbers of one byte each. */
    private static final int END_BYTES = 2;

    private final JobConf job;

    SpillChain(JobConf job) {
        this.job = job;
    }

    /**
     * @param chain never {@link SpillNotice#NO_CHAIN}
     * @param bytes of records in each partition
     */
    record Link(long chain, long[] bytes) {}

    /**
     * @param before the chain of the spill before, {@link SpillNotice#NO_CHAIN} if there is none
     * @param records how many the mapper has put into the spill
     */
    Link next(long before, long records, MapOutputFile spill) throws IOException {
        LongBuffer index = index(spill);
        long[] bytes = new long[index.remaining() / INDEX_FIELDS];
        MessageDigest digest = sha256();
        add(digest, before, records);
        FileSystem local = FileSystem.getLocal(job).getRaw();
        Path file = spill.getOutputFile();
        try (FSDataInputStream in = local.open(file)) {
            for (int partition = 0; partition < bytes.length; partition++) {
                IndexRecord part = new IndexRecord(index.get(), index.get(), index.get());
                add(digest, part.rawLength, part.partLength);
                digest.update(crc(in, part));
                bytes[partition] = part.rawLength - CryptoUtils.cryptoPadding(job) - END_BYTES;
            }
        }
        long chain = ByteBuffer.wrap(digest.digest()).getLong();
        return new Link(chain == SpillNotice.NO_CHAIN ? chain + 1 : chain, bytes);
    }

    /**
     * Where each partition begins, and both its lengths; a checksum follows. Stock's reader of it
     * costs a tenth of what a small spill does.
     */
    private static LongBuffer index(MapOutputFile spill) throws IOException {
        String file = spill.getOutputIndexFile().toUri().getPath();
        return ByteBuffer.wrap(Files.readAllBytes(java.nio.file.Path.of(file))).asLongBuffer();
    }

    private byte[] crc(FSDataInputStream file, IndexRecord part) throws IOException {
        byte[] crc = new byte[CRC_BYTES];
        if (!CryptoUtils.isEncryptedSpillEnabled(job)) {
            file.readFully(part.startOffset + part.partLength - CRC_BYTES, crc);
            return crc;
        }
        file.seek(part.startOffset);
        // Closed for the sake of its buffers, 256 KB that no collection of garbage knows of.
        try (InputStream plain =
                CryptoUtils.wrapIfNecessary(job, new LeftOpen(file), part.partLength)) {
            long length = part.partLength - CryptoUtils.cryptoPadding(job);
            plain.skipNBytes(length - CRC_BYTES);
            plain.readNBytes(crc, 0, CRC_BYTES);
        }
        return crc;
    }

    /** Whose end isn't the file's. */
    private static final class LeftOpen extends FilterInputStream {
        LeftOpen(InputStream file) {
            super(file);
        }

        @Override
        public void close() {}
    }

    private static void add(MessageDigest digest, long first, long second) {
        digest.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(first).putLong(second).array());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException("this JVM has no SHA-256", e));
        }
    }
}
