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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To whom duplicates give way, on a DataNode with two volumes. */
class YieldTest {
    private static final int SOME = 1 << 20;

    @TempDir private Path directory;
    private StagedHdfs hdfs;
    private final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    private void start(String yield) throws IOException {
        Configuration conf = StagedHdfs.conf();
        conf.set(DuplicateReadKeys.YIELD, yield);
        hdfs = StagedHdfs.start(directory, conf, 2);
        AtomicInteger references = new AtomicInteger();
        await("what wrote its file is gone")
                .during(Duration.ofMillis(300))
                .until(
                        () -> {
                            int now = hdfs.references();
                            return references.getAndSet(now) == now;
                        });
        leavesNothing.begin();
    }

    @AfterEach
    void stop() {
        try {
            leavesNothing.end();
        } finally {
            hdfs.close();
        }
    }

    @Test
    @SuppressWarnings("try")
    void byVolumeNotToThoseOfAnother() throws Exception {
        start("volume");
        try (FsVolumeReference other = hdfs.otherVolume().obtainReference();
                StageClient duplicate = StageClient.duplicate(hdfs)) {
            duplicate.assertServed(hdfs);
        }
        assertThat(hdfs.metric("Yields")).isZero();
    }

    @Test
    @SuppressWarnings("try")
    void byNodeToThoseOfAnotherVolumeToo() throws Exception {
        start("node");
        StageClient duplicate;
        try (FsVolumeReference other = hdfs.otherVolume().obtainReference()) {
            duplicate = queuedDuplicate();
        }
        try (duplicate) {
            duplicate.assertServed(hdfs);
        }
    }

    @Test
    void toActiveOnesNotToReadersWhoseClientsTakeNothing() throws Exception {
        start("active");
        try (FSDataInputStream slow = hdfs.openPrimary();
                StageClient duplicate = StageClient.duplicate(hdfs)) {
            slow.read();
            duplicate.assertServed(hdfs);
        }
    }

    @Test
    void toActiveOnesNotToWritersFromWhomNothingComes() throws Exception {
        start("active");
        try (FSDataOutputStream log = hdfs.system().create(new org.apache.hadoop.fs.Path("/log"))) {
            log.write(1);
            log.hflush();
            try (StageClient duplicate = StageClient.duplicate(hdfs)) {
                duplicate.assertServed(hdfs);
            }
        }
    }

    @Test
    @SuppressWarnings("try")
    void toOthersBesideThose() throws Exception {
        start("active");
        try (FSDataInputStream slow = hdfs.openPrimary()) {
            slow.read();
            StageClient duplicate;
            try (FsVolumeReference fast = hdfs.somebody()) {
                long queued = hdfs.metric("Queued");
                long started = hdfs.metric("Started");
                duplicate = StageClient.duplicate(hdfs);
                await().until(() -> hdfs.metric("Queued") == queued + 1);
                slow.readFully(SOME, new byte[SOME]);
                assertThat(hdfs.metric("Started")).isEqualTo(started);
            }
            try (duplicate) {
                assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            }
        }
    }

    /**
     * Its xceiver waits for its word then, and holds no volume: it isn't one less of the others.
     */
    @Test
    @SuppressWarnings("try")
    void toOthersBesideReadersToWhomAllIsSent() throws Exception {
        start("active");
        int before = hdfs.references();
        InetSocketAddress address = hdfs.node().getXferAddress();
        try (StageClient slow = StageClient.connect(address)) {
            slow.ask(hdfs, hdfs.block(), 0, SOME);
            await().until(
                            () ->
                                    new UntakenBytes(address.getPort())
                                                    .peers()
                                                    .contains(slow.channel().getLocalAddress())
                                            && hdfs.references() == before);
            StageClient duplicate;
            try (FsVolumeReference fast = hdfs.somebody()) {
                duplicate = queuedDuplicate();
            }
            try (duplicate) {
                duplicate.assertServed(hdfs);
            }
        }
    }

    /** It isn't started while a primary reads. */
    private StageClient queuedDuplicate() throws Exception {
        long queued = hdfs.metric("Queued");
        long started = hdfs.metric("Started");
        StageClient duplicate = StageClient.duplicate(hdfs);
        await().until(() -> hdfs.metric("Queued") == queued + 1);
        // What a primary reads meanwhile is time for the duplicate to begin in, if it did.
        try (FSDataInputStream primary = hdfs.openPrimary()) {
            primary.readFully(0, new byte[SOME]);
        }
        assertThat(hdfs.metric("Started")).isEqualTo(started);
        return duplicate;
    }

    @Test
    void withNoneToNobody() throws Exception {
        start("none");
        try (FSDataInputStream primary = hdfs.openPrimary();
                StageClient duplicate = StageClient.duplicate(hdfs)) {
            primary.read();
            duplicate.assertServed(hdfs);
            primary.readFully(SOME, new byte[SOME]);
        }
        assertThat(hdfs.metric("Yields")).isZero();
    }
}
