package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;

/**
 * The running checksum of a map's spills. A partition's share in it are its lengths and the CRC-32
 * with which stock ends it, so that nothing of the output is read again. Only encrypted partitions
 * are: their bytes, checksum and all, look different each time they are written.
 */
final class SpillChain {
    private static final int CRC_BYTES = 4;

    private final JobConf job;

    SpillChain(JobConf job) {
        this.job = job;
    }

    /**
     * @param before the chain of the spill before, {@link SpillNotice#NO_CHAIN} if there is none
     * @param records how many the mapper has put into the spill
     * @return never {@link SpillNotice#NO_CHAIN}
     */
    long next(long before, long records, MapOutputFile spill) throws IOException {
        SpillRecord index = new SpillRecord(spill.getOutputIndexFile(), job);
        MessageDigest digest = sha256();
        add(digest, before, records);
        FileSystem local = FileSystem.getLocal(job).getRaw();
        Path file = spill.getOutputFile();
        try (FSDataInputStream in = local.open(file)) {
            for (int partition = 0; partition < index.size(); partition++) {
                IndexRecord part = index.getIndex(partition);
                add(digest, part.rawLength, part.partLength);
                digest.update(crc(in, part));
            }
        }
        long chain = ByteBuffer.wrap(digest.digest()).getLong();
        return chain == SpillNotice.NO_CHAIN ? chain + 1 : chain;
    }

    private byte[] crc(FSDataInputStream file, IndexRecord part) throws IOException {
        byte[] crc = new byte[CRC_BYTES];
        if (!CryptoUtils.isEncryptedSpillEnabled(job)) {
            file.readFully(part.startOffset + part.partLength - CRC_BYTES, crc);
            return crc;
        }
        file.seek(part.startOffset);
        // Not closed: it would close the file.
        InputStream plain = CryptoUtils.wrapIfNecessary(job, file, part.partLength);
        long length = part.partLength - CryptoUtils.cryptoPadding(job);
        plain.skipNBytes(length - CRC_BYTES);
        plain.readNBytes(crc, 0, CRC_BYTES);
        return crc;
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
