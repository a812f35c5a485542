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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** With a client that would read locally: what it has read, and how, is what counts here. */
@Isolated("puts a client and a stream among a task's own")
@Timeout(120)
class LocalReadsTest {
    private static final int SOME = 100;

    private final org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
    private final ElasticByteBufferPool pool = new ElasticByteBufferPool();

    @TempDir private Path temp;

    private MiniDFSCluster hdfs;
    private DistributedFileSystem client;

    @BeforeEach
    void write() throws Exception {
        hdfs = HdfsLines.start(temp.resolve("hdfs"));
        try (OutputStream out = hdfs.getFileSystem().create(file)) {
            out.write(new byte[SOME]);
        }
    }

    @AfterEach
    void stop() throws Exception {
        TaskHooks.HDFS_CLIENTS.clear();
        TaskHooks.STREAMS.clear();
        client.close();
        hdfs.shutdown();
    }

    private FSDataInputStream open(boolean locally) throws Exception {
        Configuration conf = new Configuration(hdfs.getConfiguration(0));
        conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, locally);
        conf.set("dfs.domain.socket.path", temp.resolve("dn").toString());
        client = (DistributedFileSystem) FileSystem.newInstance(hdfs.getURI(), conf);
        TaskHooks.HDFS_CLIENTS.add(client.getClient());
        FSDataInputStream in = client.open(file);
        TaskHooks.STREAMS.add(in.getWrappedStream());
        return in;
    }

    private void readUncopied(FSDataInputStream in) throws Exception {
        ByteBuffer read = in.read(pool, SOME, EnumSet.noneOf(ReadOption.class));
        assertThat(read.remaining()).isEqualTo(SOME);
        in.releaseBuffer(read);
    }

    /** Without a pool of buffers they can be of nothing but local files. */
    @Test
    void readsWithoutCopiesGoOnLocally() throws Exception {
        try (FSDataInputStream in = open(true)) {
            in.read();
            assertThat(LocalReads.obstacle()).isEmpty();
            in.seek(0);
            readUncopied(in);
            assertThat(LocalReads.obstacle())
                    .hasValueSatisfying(why -> assertThat(why).contains("without copying"));
            assertThat(new LocalReads().suspend(SOME)).isPresent();
            assertThat(
                            client.getClient()
                                    .getConf()
                                    .getShortCircuitConf()
                                    .isShortCircuitLocalReads())
                    .isTrue();
        }
    }

    @Test
    void whereNothingIsReadLocallyNothingIsInTheWay() throws Exception {
        try (FSDataInputStream in = open(false)) {
            readUncopied(in);
            assertThat(LocalReads.obstacle()).isEmpty();
        }
    }
}
