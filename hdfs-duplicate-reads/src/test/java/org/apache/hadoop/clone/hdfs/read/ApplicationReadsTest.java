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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files are read as HBase and Spark do, each read raced, and the first DataNode crawls. */
class ApplicationReadsTest extends RacedReads {
    private static final int THREADS = 4;
    private static final int READS = 8;
    private static final int BLOCK_OF_FILE = 64 << 10;
    private static final int LENGTH = RacedHdfs.BLOCK + MB;

    @Override
    Configuration conf() {
        Configuration conf = super.conf();
        conf.set(DuplicateReadKeys.DELAY, "0");
        conf.set(DuplicateReadKeys.WINDOW, "256k");
        return conf;
    }

    @AfterEach
    void recover() {
        hdfs.allFast();
    }

    private static void assertSame(ByteBuffer read, byte[] written, int from) {
        byte[] bytes = new byte[read.remaining()];
        read.get(bytes);
        RacedHdfs.assertSame(bytes, written, from);
    }

    /**
     * Handlers read blocks of an HFile by position, into buffers of a pool, all of them on one
     * stream. Whoever has done tells it to give up what it holds.
     */
    @Test
    void asHBaseDoes() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, LENGTH);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long won = RacedHdfs.count(Counter.WON);
            List<FutureTask<Void>> handlers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                handlers.add(
                        new FutureTask<>(
                                () -> {
                                    readBlocks(in, written, new Random(seed));
                                    return null;
                                }));
            }
            handlers.forEach(handler -> new Thread(handler).start());
            for (FutureTask<Void> handler : handlers) {
                handler.get();
            }
            assertThat(RacedHdfs.count(Counter.WON)).isGreaterThan(won);
        }
    }

    private static void readBlocks(FSDataInputStream in, byte[] written, Random random)
            throws IOException {
        for (IntFunction<ByteBuffer> pool :
                List.<IntFunction<ByteBuffer>>of(
                        ByteBuffer::allocate, ByteBuffer::allocateDirect)) {
            for (int i = 0; i < READS; i++) {
                ByteBuffer block = pool.apply(BLOCK_OF_FILE << random.nextInt(3));
                int from = random.nextInt(written.length - block.capacity());
                in.readFully(from, block);
                assertThat(block.hasRemaining()).isFalse();
                assertSame(block.flip(), written, from);
            }
            in.unbuffer();
        }
    }

    /** A scan goes on where it was, at whichever DataNode. */
    @Test
    void asHBasesScansDo() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, 2 * MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            for (int at = 0; at < 2 * MB; at += MB / 2) {
                byte[] some = new byte[MB / 2];
                in.readFully(some);
                RacedHdfs.assertSame(some, written, at);
                in.unbuffer();
            }
        }
    }

    /** A Parquet file's footer says where its columns are; those that are wanted come at once. */
    @Test
    void asSparkDoes() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, LENGTH);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long won = RacedHdfs.count(Counter.WON);
            readFromEnd(in, written, 8);
            readFromEnd(in, written, 40_000);
            List<FileRange> columns =
                    List.of(
                            FileRange.createFileRange(4, 300_000),
                            FileRange.createFileRange(300_004, 100),
                            FileRange.createFileRange(3 * MB, MB),
                            FileRange.createFileRange(RacedHdfs.BLOCK - 70_000, 200_000));
            in.readVectored(columns, ByteBuffer::allocate);
            for (FileRange column : columns) {
                ByteBuffer read = column.getData().get();
                assertThat(read.remaining()).isEqualTo(column.getLength());
                assertSame(read, written, (int) column.getOffset());
            }
            assertThat(RacedHdfs.count(Counter.WON)).isGreaterThan(won);
        }
    }

    private static void readFromEnd(FSDataInputStream in, byte[] written, int length)
            throws IOException {
        in.seek(LENGTH - length);
        byte[] footer = new byte[length];
        in.readFully(footer);
        RacedHdfs.assertSame(footer, written, LENGTH - length);
    }
}
