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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.management.ObjectName;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadFileSystem;
import org.apache.hadoop.clone.hdfs.read.datanode.DuplicateStagePlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.test.MetricsAsserts;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A map whose reads have duplicates, each of them at once, is really cloned: both attempts read
 * every line, the clone without duplicates, and DataNodes are left as they were. {@code
 * -Dclones=50} for more than two clones.
 */
@Timeout(3600)
class ClonedReadsTest {
    private static final int CLONES = Integer.getInteger("clones", 2);

    // Below the ports that the kernel chooses from, where a DataNode's is.
    private static final int OFFSET = -30_000;

    /** Each begins with a read that has a duplicate. */
    private static final int BLOCK = 64 << 10;

    private static MiniDFSCluster hdfs;
    private static FileSplit lines;

    @TempDir private Path temp;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        NativeTool.required();
        Configuration conf = new Configuration();
        conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK);
        conf.setLong("dfs.blocksize", BLOCK);
        conf.setInt("dfs.replication", 2);
        conf.set("dfs.datanode.plugins", DuplicateStagePlugin.class.getName());
        conf.setInt("dfs.duplicate.port-offset", OFFSET);
        // Connections that wait to be used again are none that are left.
        conf.setInt("dfs.datanode.socket.reuse.keepalive", 500);
        hdfs =
                MiniHdfs.build(
                        new MiniDFSCluster.Builder(
                                        conf, Files.createDirectories(directory).toFile())
                                .numDataNodes(2));
        hdfs.waitActive();
        lines = HdfsLines.write(hdfs);
    }

    @AfterAll
    static void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void bothReadAllAndNothingIsLeft() throws Exception {
        for (int clone = 1; clone <= CLONES; clone++) {
            cloneOne(Files.createDirectory(temp.resolve("clone" + clone)), clone);
            System.out.printf("%d of %d clones%n", clone, CLONES);
        }
    }

    private static void cloneOne(Path directory, int number) throws Exception {
        long before = queued();
        long references = references();
        long xceivers = xceivers();
        long descriptors = DataNodeDescriptors.count(hdfs, OFFSET);
        assertThat(descriptors).as("two ports of each DataNode").isGreaterThanOrEqualTo(4);
        try (ClonePair pair = ClonePair.ofMap(directory, lines)) {
            pair.start(job());
            // Not always at the same place of a window.
            long records = 2000 + 1777L * number % 10_000;
            pair.await(() -> pair.original.position() > records && queued() > before);
            pair.cloneIt();
            assertThat(pair.original.position()).isLessThan(HdfsLines.COUNT);

            pair.original.endInput();
            assertThat(pair.original.exitCode()).as(pair.original.log()).isZero();
            HdfsLines.assertAll(MapOutput.read(pair.original.local, TaskJvm.ATTEMPT));

            long ofOriginal = queued();
            pair.clone.endInput();
            assertThat(pair.clone.exitCode()).as(pair.clone.log()).isZero();
            HdfsLines.assertAll(MapOutput.read(pair.clone.local, pair.cloned));
            assertThat(queued()).as("a clone's reads have no duplicates").isEqualTo(ofOriginal);
            assertThat(pair.appMaster.errors).isEmpty();
        }
        Awaitility.await("no reader is left at a DataNode")
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(
                        () -> {
                            assertThat(references())
                                    .as("references to volumes")
                                    .isLessThanOrEqualTo(references);
                            assertThat(xceivers()).as("xceivers").isLessThanOrEqualTo(xceivers);
                            assertThat(DataNodeDescriptors.count(hdfs, OFFSET))
                                    .as("descriptors")
                                    .isLessThanOrEqualTo(descriptors);
                        });
    }

    private static JobConf job() {
        JobConf job = HdfsLines.job();
        job.set("fs.hdfs.impl", DuplicateReadFileSystem.class.getName());
        job.set("dfs.client.duplicate.delay", "0");
        job.set("dfs.client.duplicate.window", "64k");
        job.setInt("dfs.duplicate.port-offset", OFFSET);
        return job;
    }

    /** Duplicates that have come to a DataNode; not from the beans, which are seconds old. */
    private static long queued() throws Exception {
        long sum = 0;
        for (ObjectName stage :
                ManagementFactory.getPlatformMBeanServer()
                        .queryNames(
                                new ObjectName("Hadoop:service=DataNode,name=DuplicateReads*"),
                                null)) {
            String source = stage.getKeyProperty("name");
            sum += MetricsAsserts.getLongCounter("Queued", MetricsAsserts.getMetrics(source));
        }
        return sum;
    }

    private static long references() throws IOException {
        long sum = 0;
        for (DataNode node : hdfs.getDataNodes()) {
            try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
                for (FsVolumeSpi volume : volumes) {
                    sum += ((FsVolumeImpl) volume).getReferenceCount() - 1;
                }
            }
        }
        return sum;
    }

    /** Of these DataNodes alone: classes beside this one have clusters of their own in this JVM. */
    private static long xceivers() {
        return hdfs.getDataNodes().stream().mapToLong(DataNode::getXceiverCount).sum();
    }
}
