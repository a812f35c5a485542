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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes without the plugin get no duplicates. */
@TestInstance(Lifecycle.PER_CLASS)
class NoStageTest {
    private static final int MB = 1 << 20;

    private RacedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        hdfs = RacedHdfs.start(directory, RacedHdfs.withoutPlugin());
        hdfs.system();
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void eachIsAskedOnceAndNothingIsSent() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/asked");
        byte[] written = hdfs.create(file, MB);
        try (DistributedFileSystem system = hdfs.newSystem(hdfs.client());
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            long without = RacedHdfs.count(Counter.WITHOUT_STAGE);
            long sent = RacedHdfs.count(Counter.SENT);
            for (int i = 0; i < 3; i++) {
                byte[] read = new byte[MB];
                in.readFully(0, read);
                RacedHdfs.assertSame(read, written, 0);
            }
            assertThat(RacedHdfs.count(Counter.WITHOUT_STAGE)).isEqualTo(without + 2);
            assertThat(RacedHdfs.count(Counter.SENT)).isEqualTo(sent);
        }
    }

    /** Whatever listens there is told nothing but a header. */
    @Test
    void anotherServiceAtThatPortIsNoStage() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/other");
        byte[] written = hdfs.create(file, MB);
        ServerSocket other = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        List<byte[]> told = new ArrayList<>();
        Thread answers = new Thread(() -> answer(other, told));
        answers.start();
        try {
            try (DistributedFileSystem system = hdfs.newSystem(hdfs.client());
                    HdfsDataInputStream in = RacedHdfs.open(system, file)) {
                // Each stream has an order of its own.
                int asked = hdfs.node(in, 1).getXferAddress().getPort();
                system.getConf()
                        .setInt(DuplicateReadKeys.PORT_OFFSET, other.getLocalPort() - asked);
                RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
                long without = RacedHdfs.count(Counter.WITHOUT_STAGE);
                byte[] read = new byte[MB];
                in.readFully(0, read);
                RacedHdfs.assertSame(read, written, 0);
                assertThat(RacedHdfs.count(Counter.WITHOUT_STAGE)).isGreaterThan(without);
            }
        } finally {
            other.close();
            answers.join();
        }
        assertThat(told).isNotEmpty();
        for (byte[] all : told) {
            ByteBuffer header = ByteBuffer.wrap(all);
            assertThat(StageHeader.decode(header)).isPresent();
            assertThat(header.hasRemaining()).isFalse();
        }
    }

    private static void answer(ServerSocket other, List<byte[]> told) {
        while (!other.isClosed()) {
            try (var accepted = other.accept()) {
                // Of "HTTP": with more, which nobody reads, the connection would end in a reset.
                accepted.getOutputStream().write('H');
                told.add(accepted.getInputStream().readAllBytes());
            } catch (IOException e) {
                // Closed.
            }
        }
    }
}
