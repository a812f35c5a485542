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
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a read takes no notice of: that its duplicate fails, or the DataNode that it went over to.
 */
class FailedDuplicateTest extends RacedReads {
    /** Less than stock waits for a DataNode. */
    private static final Duration HELPED = Duration.ofSeconds(30);

    @Override
    Configuration conf() {
        Configuration conf = super.conf();
        conf.setInt(DuplicateReadKeys.QUEUE, 1);
        conf.set(DuplicateReadKeys.MAX_WAIT, "1s");
        return conf;
    }

    @AfterEach
    void recover() {
        hdfs.allFast();
    }

    private static void assertRead(FSDataInputStream in, byte[] written, int from, int length)
            throws IOException {
        byte[] read = new byte[length];
        in.readFully(from, read);
        RacedHdfs.assertSame(read, written, from);
    }

    private static Collection<DatanodeInfo> deadNodes(
            DistributedFileSystem system, HdfsDataInputStream in) {
        DFSInputStream stream = (DFSInputStream) in.getWrappedStream();
        return system.getClient().getDeadNodes(stream).keySet();
    }

    @Test
    void aCorruptReplicaIsAskedOnceAndThenTheThirdOne() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            hdfs.corrupt(hdfs.node(in, 1), RacedHdfs.block(in).getBlock());
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long won = RacedHdfs.count(Counter.WON);
            long failed = RacedHdfs.count(Counter.FAILED);
            assertRead(in, written, 0, MB);
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
            assertRead(in, written, 0, MB);
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 2);
            assertThat(RacedHdfs.count(Counter.FAILED)).isEqualTo(failed + 1);
        }
    }

    /** Else it would wait for stock's minute, though there is one that has time. */
    @Test
    @SuppressWarnings("try")
    void aReadThatHangsIsHelpedByTheThirdIfTheSecondIsBusy() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            Stop stop = new Stop(0);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            long won = RacedHdfs.count(Counter.WON);
            try (AutoCloseable presence = Presence.on(List.of(hdfs.node(in, 1)))) {
                assertTimeout(HELPED, () -> assertRead(in, written, 0, MB));
            } finally {
                stop.release();
            }
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
        }
    }

    /** Of two that are to wait at one DataNode, where there is room for one. */
    @Test
    @SuppressWarnings("try")
    void oneThatAFullQueueTurnsAwayIsNotMissed() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        List<FutureTask<Void>> reads = new ArrayList<>();
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file);
                FailureLog log = new FailureLog()) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(0);
            RacedHdfs.slow(primary, stop);
            long failed = RacedHdfs.count(Counter.FAILED);
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                for (int i = 0; i < 2; i++) {
                    FutureTask<Void> read =
                            new FutureTask<>(
                                    () -> {
                                        assertRead(in, written, 0, MB);
                                        return null;
                                    });
                    new Thread(read).start();
                    reads.add(read);
                }
                await().until(() -> RacedHdfs.count(Counter.FAILED) > failed);
                assertThat(log.text()).contains("turns copies away");
            } finally {
                stop.release();
            }
            for (FutureTask<Void> read : reads) {
                read.get();
            }
        }
    }

    /** The policy has ended the primary for a duplicate of which nothing comes. */
    @Test
    void aPrimaryThatWasEndedForItIsReadOn() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.POLICY, "app-timeout");
        conf.set(DuplicateReadKeys.THRESHOLD, "5ms");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            DatanodeInfo corrupt = RacedHdfs.block(in).getLocations()[1];
            hdfs.corrupt(hdfs.node(corrupt), RacedHdfs.block(in).getBlock());
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long failed = RacedHdfs.count(Counter.FAILED);
            assertRead(in, written, 0, MB);
            assertThat(RacedHdfs.count(Counter.FAILED)).isEqualTo(failed + 1);
            assertThat(deadNodes(system, in)).containsExactly(corrupt);
        }
    }

    /** A reader is told of a failure after some packets. */
    private static DataTransferThrottler failing(int packets) {
        return new DataTransferThrottler(1) {
            private int left = packets;

            @Override
            public void throttle(long bytes) {
                throttle(bytes, null);
            }

            @Override
            public synchronized void throttle(long bytes, Canceler canceler) {
                if (left-- <= 0) {
                    left = packets;
                    throw new IllegalStateException("as a disk that fails");
                }
            }
        };
    }

    /** Stock would take that for a failure of the first, and begin the range again. */
    @Test
    void whereItWentOnFailsItIsReadOnWhereItBegan() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.WINDOW, "1m");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            Stop stop = new Stop(1);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            for (int other : new int[] {1, 2}) {
                RacedHdfs.slow(hdfs.node(in, other), failing(1));
            }
            long takenOver = RacedHdfs.count(Counter.TAKEN_OVER);
            assertRead(in, written, 100, 5 * MB);
            assertThat(RacedHdfs.count(Counter.TAKEN_OVER)).isGreaterThan(takenOver + 1);
            assertThat(deadNodes(system, in)).isEmpty();
            stop.release();
        }
    }

    /** Returns where it is then. */
    private static int readUntilTakenOver(HdfsDataInputStream in, byte[] written, byte[] some)
            throws Exception {
        long takenOver = RacedHdfs.count(Counter.TAKEN_OVER);
        int at = 0;
        while (RacedHdfs.count(Counter.TAKEN_OVER) == takenOver) {
            in.readFully(some);
            RacedHdfs.assertSame(some, written, at);
            at += some.length;
        }
        return at;
    }

    @Test
    void aSeekAfterATakeoverStaysThere() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(1);
            RacedHdfs.slow(primary, stop);
            byte[] some = new byte[4096];
            int at = readUntilTakenOver(in, written, some);
            for (int step : new int[] {1, 300_000, 1_500_000}) {
                in.seek(at + step);
                at += step;
                in.readFully(some);
                RacedHdfs.assertSame(some, written, at);
                at += some.length;
                assertThat(in.getCurrentDatanode().getDatanodeUuid())
                        .isNotEqualTo(primary.getDatanodeUuid());
            }
            stop.release();
        }
    }

    /** As of bytes that are wrong, which the first call is to leave. */
    @Test
    void anotherSourceIsNotWhereItWentOn() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(1);
            RacedHdfs.slow(primary, stop);
            byte[] some = new byte[4096];
            int at = readUntilTakenOver(in, written, some);
            String left = in.getCurrentDatanode().getDatanodeUuid();
            assertThat(in.seekToNewSource(at)).isTrue();
            in.readFully(some);
            RacedHdfs.assertSame(some, written, at);
            assertThat(in.getCurrentDatanode().getDatanodeUuid())
                    .isNotIn(left, primary.getDatanodeUuid());
            stop.release();
        }
    }

    /** Of whoever adds up what their threads have read of all file systems. */
    @Test
    void itsBytesAreNotItsCallers() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            List<FileSystem.Statistics> ours = JobCounters.all();
            long before = ours.get(0).getBytesRead();
            assertRead(in, written, 0, MB);
            assertThat(ours.get(0).getBytesRead()).isGreaterThan(before);
            for (FileSystem.Statistics each : ours) {
                assertThat(each.getThreadStatistics().getBytesRead()).isZero();
            }
        }
    }
}
