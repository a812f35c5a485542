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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.SecurityTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of blocks on three DataNodes, one of which is slow or sick. */
class RacedReadTest extends RacedReads {
    private static byte[] readFully(FSDataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    @Test
    void aPositionalReadFromASlowDataNodeComesFromAnother(TestInfo test) throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        long stock = read1mb(file, written, "off");
        long won = RacedHdfs.count(Counter.WON);
        long raced = read1mb(file, written, "das");
        assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
        System.out.printf(
                "%s: stock %d ms, raced %d ms%n",
                test.getDisplayName(),
                TimeUnit.NANOSECONDS.toMillis(stock),
                TimeUnit.NANOSECONDS.toMillis(raced));
    }

    private long read1mb(org.apache.hadoop.fs.Path file, byte[] written, String policy)
            throws IOException {
        try (DistributedFileSystem system = systemWith(policy);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            DataNode primary = hdfs.node(in, 0);
            RacedHdfs.slow(primary, RacedHdfs.crawling());
            byte[] read = new byte[MB];
            long begin = System.nanoTime();
            in.readFully(77, read);
            long took = System.nanoTime() - begin;
            RacedHdfs.slow(primary, null);
            RacedHdfs.assertSame(read, written, 77);
            return took;
        }
    }

    private DistributedFileSystem systemWith(String policy) throws IOException {
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.POLICY, policy);
        conf.set(DuplicateReadKeys.THRESHOLD, "5ms");
        return hdfs.newSystem(conf);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloning", "hedged", "app-timeout"})
    void soItDoesWithOtherPolicies(String policy) throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        long won = RacedHdfs.count(Counter.WON);
        read1mb(file, written, policy);
        assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
    }

    /** Its primary is served at once: nobody queues at a stock port. */
    @Test
    void withTiedAllIsReadAsWell() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        read1mb(file, written, "tied");
    }

    @Test
    void aLargePositionalReadGoesOnAtTheFasterDataNode() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.WINDOW, "1m");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            Stop stop = new Stop(1);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            long takenOver = RacedHdfs.count(Counter.TAKEN_OVER);
            byte[] read = new byte[RacedHdfs.BLOCK - 100];
            in.readFully(100, read);
            RacedHdfs.assertSame(read, written, 100);
            assertThat(RacedHdfs.count(Counter.TAKEN_OVER)).isGreaterThan(takenOver);
            stop.release();
        }
    }

    @Test
    @SuppressWarnings("try")
    void afterOneThatWaitedInVainTheNextDuplicateGoesElsewhere() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            DataNode busy = hdfs.node(in, 1);
            DataNode idle = hdfs.node(in, 2);
            long won = RacedHdfs.count(Counter.WON);
            try (AutoCloseable presence = Presence.on(List.of(busy))) {
                RacedHdfs.assertSame(readFully(in, RacedHdfs.BLOCK - MB), written, 0);
            }
            assertThat(RacedHdfs.count(Counter.WON)).isGreaterThan(won);
            assertThat(in.getCurrentDatanode().getDatanodeUuid()).isEqualTo(idle.getDatanodeUuid());
        } finally {
            hdfs.allFast();
        }
    }

    @Test
    void aStreamLeavesADataNodeThatStalls() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, 2 * RacedHdfs.BLOCK);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(20);
            RacedHdfs.slow(primary, stop);
            long takenOver = RacedHdfs.count(Counter.TAKEN_OVER);
            RacedHdfs.assertSame(readFully(in, RacedHdfs.BLOCK - MB), written, 0);
            assertThat(RacedHdfs.count(Counter.TAKEN_OVER)).isGreaterThan(takenOver);
            assertThat(in.getCurrentDatanode().getDatanodeUuid())
                    .isNotEqualTo(primary.getDatanodeUuid());
            RacedHdfs.assertSame(
                    readFully(in, RacedHdfs.BLOCK + MB), written, RacedHdfs.BLOCK - MB);
            assertThat(in.read()).isEqualTo(-1);
            stop.release();
        }
    }

    /** Its duplicates have waited in vain, which doesn't mean that nobody is faster. */
    @Test
    @SuppressWarnings("try")
    void aStreamThatIsSlowFromTheBeginningIsHelpedAsSoonAsSomebodyHasTime() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        Configuration conf = hdfs.client();
        int window = 64 << 10;
        conf.set(DuplicateReadKeys.WINDOW, "64k");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            DataNode primary = hdfs.node(in, 0);
            // A window in 64 ms, and not eight of them at once in half a second.
            RacedHdfs.slow(primary, RacedHdfs.crawling());
            long won = RacedHdfs.count(Counter.WON);
            int alone = 9 * window + 1;
            try (AutoCloseable others = Presence.onAll(hdfs, primary)) {
                RacedHdfs.assertSame(readFully(in, alone), written, 0);
            }
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won);
            RacedHdfs.assertSame(readFully(in, 5 * window), written, alone);
            assertThat(RacedHdfs.count(Counter.WON)).isGreaterThan(won);
            RacedHdfs.slow(primary, null);
        }
    }

    @Test
    void aStreamThatStallsCanBeSkippedAndSoughtIn() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            Stop stop = new Stop(1);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            int at = 0;
            for (int step : new int[] {0, 1, 50_000, 100_000, 3, 127_000, 200_000, 1_500_000}) {
                in.seek(at + step);
                at += step;
                RacedHdfs.assertSame(readFully(in, 40_000), written, at);
                at += 40_000;
            }
            in.seek(5);
            RacedHdfs.assertSame(readFully(in, 100), written, 5);
            stop.release();
        }
    }

    /** What an application does in between isn't waiting. */
    @Test
    @SuppressWarnings("try")
    void aCopyThatIsThereWhileTheApplicationIsElsewhereHasNotWon() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.DELAY, "300ms");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(0);
            RacedHdfs.slow(primary, stop);
            long sent = RacedHdfs.count(Counter.SENT);
            long won = RacedHdfs.count(Counter.WON);
            in.readFully(new byte[64 << 10]);
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                Thread caller = new Thread(() -> readOne(in));
                caller.start();
                await().until(() -> RacedHdfs.count(Counter.SENT) == sent + 1);
                stop.release();
                caller.join();
            }
            await().until(() -> !RacedHdfs.isReadingDuplicates());
            RacedHdfs.assertSame(readFully(in, MB), written, (64 << 10) + 1);
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won);
            assertThat(in.getCurrentDatanode().getDatanodeUuid())
                    .isEqualTo(primary.getDatanodeUuid());
        }
    }

    @Test
    @SuppressWarnings("try")
    void aCallerThatIsInterruptedLeavesTheRace() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(0);
            RacedHdfs.slow(primary, stop);
            long sent = RacedHdfs.count(Counter.SENT);
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                FutureTask<Void> read =
                        new FutureTask<>(
                                () -> {
                                    in.readFully(0, new byte[MB]);
                                    return null;
                                });
                Thread caller = new Thread(read);
                caller.start();
                await().until(() -> RacedHdfs.count(Counter.SENT) == sent + 1);
                caller.interrupt();
                assertThatThrownBy(read::get).hasCauseInstanceOf(InterruptedIOException.class);
            }
            stop.release();
        }
    }

    private static void readOne(FSDataInputStream in) {
        try {
            in.read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCorruptPrimaryIsNotServedAndReported() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            LocatedBlock block = RacedHdfs.block(in);
            DataNode corrupt = hdfs.node(in, 0);
            hdfs.corrupt(corrupt, block.getBlock());
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            RacedHdfs.assertSame(readFully(in, MB), written, 0);
            await().until(() -> isKnownAsCorrupt(block, corrupt));
        }
    }

    @Test
    void aCorruptDuplicateIsNotServedAndReported() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            LocatedBlock block = RacedHdfs.block(in);
            DataNode corrupt = hdfs.node(in, 1);
            hdfs.corrupt(corrupt, block.getBlock());
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long won = RacedHdfs.count(Counter.WON);
            long failed = RacedHdfs.count(Counter.FAILED);
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            // The third one's.
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
            assertThat(RacedHdfs.count(Counter.FAILED)).isEqualTo(failed + 1);
            await().until(() -> isKnownAsCorrupt(block, corrupt));
        }
    }

    private boolean isKnownAsCorrupt(LocatedBlock block, DataNode node) {
        return Stream.ofNullable(
                        cluster()
                                .getNamesystem()
                                .getBlockManager()
                                .getCorruptReplicas(block.getBlock().getLocalBlock()))
                .flatMap(Collection::stream)
                .anyMatch(at -> at.getDatanodeUuid().equals(node.getDatanodeUuid()));
    }

    private org.apache.hadoop.hdfs.MiniDFSCluster cluster() {
        return hdfs.cluster;
    }

    @Test
    void withPrimaryAndDuplicateCorruptTheThirdIsRead() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            LocatedBlock block = RacedHdfs.block(in);
            hdfs.corrupt(hdfs.node(in, 0), block.getBlock());
            hdfs.corrupt(hdfs.node(in, 1), block.getBlock());
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
        }
        try (FSDataInputStream in = hdfs.system().open(file)) {
            RacedHdfs.assertSame(readFully(in, MB), written, 0);
        }
    }

    private Configuration withoutRetries() {
        Configuration conf = hdfs.client();
        conf.setInt("dfs.client.max.block.acquire.failures", 0);
        return conf;
    }

    private void corruptAll(HdfsDataInputStream in) throws Exception {
        for (int i = 0; i < 3; i++) {
            hdfs.corrupt(hdfs.node(in, i), RacedHdfs.block(in).getBlock());
        }
    }

    @Test
    void whereAllReplicasAreCorruptNothingIsRead() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        hdfs.create(file, MB);
        Configuration conf = withoutRetries();
        conf.set(DuplicateReadKeys.DELAY, "0");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            corruptAll(in);
            assertThatThrownBy(() -> in.readFully(0, new byte[MB])).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> readFully(in, MB)).isInstanceOf(IOException.class);
        }
    }

    /** Stock reports none then: it may be the client's host that isn't well. */
    @Test
    void whereAllReplicasSeemToBeCorruptNoneIsReported() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        hdfs.create(file, MB);
        try (DistributedFileSystem system = hdfs.newSystem(withoutRetries());
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            LocatedBlock block = RacedHdfs.block(in);
            // Of the primary its last chunk only, which isn't sent before the duplicate has failed:
            // one that fails at once leaves nothing to duplicate.
            hdfs.corrupt(hdfs.node(in, 0), block.getBlock(), MB - 1);
            hdfs.corrupt(hdfs.node(in, 1), block.getBlock());
            hdfs.corrupt(hdfs.node(in, 2), block.getBlock());
            long failed = RacedHdfs.count(Counter.FAILED);
            RacedHdfs.slow(
                    hdfs.node(in, 0),
                    RacedHdfs.heldUntil(() -> RacedHdfs.count(Counter.FAILED) > failed));
            assertThatThrownBy(() -> in.readFully(0, new byte[MB])).isInstanceOf(IOException.class);
            assertThat(RacedHdfs.count(Counter.FAILED)).isGreaterThan(failed);
            for (int i = 0; i < 3; i++) {
                assertThat(isKnownAsCorrupt(block, hdfs.node(in, i))).isFalse();
            }
        }
    }

    @Test
    void aTruncatedDuplicateFailsAlone() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            truncate(in, 1);
            truncate(in, 2);
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long failed = RacedHdfs.count(Counter.FAILED);
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.FAILED)).isEqualTo(failed + 2);
        }
    }

    private void truncate(HdfsDataInputStream in, int node) throws IOException {
        Path replica = hdfs.replica(hdfs.node(in, node), RacedHdfs.block(in).getBlock());
        try (FileChannel channel = FileChannel.open(replica, StandardOpenOption.WRITE)) {
            channel.truncate(MB / 2);
        }
    }

    /** Its duplicate waits until then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @SuppressWarnings("try")
    void aTruncatedPrimaryIsFollowedByStocksNext(boolean byPosition) throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            truncate(in, 0);
            RacedHdfs.slow(primary, RacedHdfs.crawling());
            long sent = RacedHdfs.count(Counter.SENT);
            byte[] read = new byte[MB];
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                if (byPosition) {
                    in.readFully(0, read);
                } else {
                    in.readFully(read);
                }
            }
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.SENT)).isGreaterThan(sent);
        }
    }

    /** While it waits for its turn: the primary has shown the same token before. */
    @Test
    @SuppressWarnings("try")
    void aDuplicateWhoseTokenExpiresFailsAlone() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        var tokens = cluster().getNamesystem().getBlockManager().getBlockTokenSecretManager();
        SecurityTestUtil.setBlockTokenLifetime(tokens, 3000);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file);
                FailureLog log = new FailureLog()) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(0);
            RacedHdfs.slow(primary, stop);
            long sent = RacedHdfs.count(Counter.SENT);
            byte[] read = new byte[MB];
            FutureTask<Void> reads =
                    new FutureTask<>(
                            () -> {
                                in.readFully(0, read);
                                return null;
                            });
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                new Thread(reads).start();
                await().until(() -> RacedHdfs.count(Counter.SENT) == sent + 1);
                await().until(
                                () ->
                                        SecurityTestUtil.isBlockTokenExpired(
                                                RacedHdfs.block(in).getBlockToken()));
            }
            await().until(() -> !log.text().isEmpty());
            stop.release();
            reads.get();
            assertThat(log.text()).contains("access token");
            RacedHdfs.assertSame(read, written, 0);
        } finally {
            SecurityTestUtil.setBlockTokenLifetime(tokens, 600_000);
        }
    }

    @Test
    void anExpiredTokenIsRenewedByStock() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        var tokens = cluster().getNamesystem().getBlockManager().getBlockTokenSecretManager();
        try {
            SecurityTestUtil.setBlockTokenLifetime(tokens, 1000);
            try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
                await().until(
                                () ->
                                        SecurityTestUtil.isBlockTokenExpired(
                                                RacedHdfs.block(in).getBlockToken()));
                SecurityTestUtil.setBlockTokenLifetime(tokens, 600_000);
                RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
                byte[] read = new byte[MB];
                in.readFully(0, read);
                RacedHdfs.assertSame(read, written, 0);
                RacedHdfs.assertSame(readFully(in, MB), written, 0);
            }
        } finally {
            SecurityTestUtil.setBlockTokenLifetime(tokens, 600_000);
        }
    }

    @Test
    void aBlockUnderConstructionIsReadAsFarAsItGoes() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] all = RacedHdfs.bytes(3 * MB);
        try (FSDataOutputStream out = hdfs.system().create(file)) {
            out.write(all, 0, MB);
            out.hflush();
            readWhileSlow(file, all, MB);
            out.write(all, MB, MB);
            out.hflush();
            readWhileSlow(file, all, 2 * MB);
        }
        try (FSDataOutputStream out = hdfs.system().append(file)) {
            readWhileSlow(file, all, 2 * MB);
            out.write(all, 2 * MB, MB);
            out.hflush();
            readWhileSlow(file, all, 3 * MB);
        }
        readWhileSlow(file, all, 3 * MB);
    }

    private void readWhileSlow(org.apache.hadoop.fs.Path file, byte[] written, int length)
            throws IOException {
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            DataNode primary = hdfs.node(in, 0);
            RacedHdfs.slow(primary, RacedHdfs.crawling());
            long sent = RacedHdfs.count(Counter.SENT);
            byte[] read = new byte[length];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            RacedHdfs.assertSame(readFully(in, length), written, 0);
            assertThat(RacedHdfs.count(Counter.SENT)).isGreaterThan(sent);
            RacedHdfs.slow(primary, null);
        }
    }

    /** It is a duplicate itself. Clones of tasks are known by their clients' new names. */
    @Test
    void aCloneDuplicatesNothing() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, MB);
        try (DistributedFileSystem system = hdfs.newSystem(hdfs.client());
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            var name = org.apache.hadoop.hdfs.DFSClient.class.getDeclaredField("clientName");
            name.setAccessible(true);
            name.set(system.getClient(), system.getClient().getClientName() + "_clone");
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long sent = RacedHdfs.count(Counter.SENT);
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.SENT)).isEqualTo(sent);
        }
    }

    @Test
    void whatIsErasureCodedIsStocks() throws Exception {
        org.apache.hadoop.fs.Path directory = newFile();
        DistributedFileSystem system = hdfs.system();
        system.mkdirs(directory);
        system.enableErasureCodingPolicy("XOR-2-1-1024k");
        system.setErasureCodingPolicy(directory, "XOR-2-1-1024k");
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory, "file");
        byte[] written = hdfs.create(file, 3 * MB + 5);
        try (FSDataInputStream in = system.open(file)) {
            assertThat(in.getWrappedStream()).isInstanceOf(DFSStripedInputStream.class);
            RacedHdfs.assertSame(readFully(in, written.length), written, 0);
            byte[] read = new byte[2 * MB];
            in.readFully(7, read);
            RacedHdfs.assertSame(read, written, 7);
        }
    }

    @Test
    void everyReadAtOnceIsRight() throws Exception {
        org.apache.hadoop.fs.Path file = newFile();
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK + MB);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.DELAY, "0");
        conf.set(DuplicateReadKeys.WINDOW, "64k");
        conf.setInt(DuplicateReadKeys.THREADS, 4);
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                FSDataInputStream in = system.open(file)) {
            long races = RacedHdfs.duplicates();
            Thread[] readers = new Thread[8];
            Throwable[] failures = new Throwable[readers.length];
            for (int i = 0; i < readers.length; i++) {
                int number = i;
                readers[i] = new Thread(() -> failures[number] = readSome(in, written, number));
                readers[i].start();
            }
            RacedHdfs.assertSame(readFully(in, written.length), written, 0);
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(failures).containsOnlyNulls();
            assertThat(RacedHdfs.duplicates()).isGreaterThan(races);
        }
    }

    private static Throwable readSome(FSDataInputStream in, byte[] written, int seed) {
        Random random = new Random(seed);
        try {
            for (int i = 0; i < 40; i++) {
                byte[] read = new byte[1 + random.nextInt(300_000)];
                int from = random.nextInt(written.length - read.length);
                in.readFully(from, read);
                RacedHdfs.assertSame(read, written, from);
            }
            return null;
        } catch (IOException | AssertionError e) {
            return e;
        }
    }
}
