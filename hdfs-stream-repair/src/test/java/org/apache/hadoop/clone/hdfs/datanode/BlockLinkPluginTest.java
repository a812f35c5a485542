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
package org.apache.hadoop.clone.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkMessages;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.test.LambdaTestUtils;
import org.apache.hadoop.thirdparty.protobuf.Empty;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** On a cluster with block tokens and service authorization, one DataNode. */
@TestInstance(Lifecycle.PER_CLASS)
class BlockLinkPluginTest {
    private static final int BLOCK = 1 << 20;
    private static final String ME = "the-test";

    private MiniDFSCluster cluster;
    private DistributedFileSystem fs;
    private org.apache.hadoop.fs.Path source;
    private org.apache.hadoop.fs.Path destination;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        cluster = oneDataNode(configuration(), directory);
        fs = cluster.getFileSystem();
    }

    private static Configuration configuration() {
        Configuration conf = new Configuration();
        conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK);
        conf.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, 1);
        // Blocks are recovered at heartbeats.
        conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
        conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, BlockLinkPlugin.class.getName());
        // Counts what goes to disk.
        conf.setInt(DFSConfigKeys.DFS_DATANODE_FILEIO_PROFILING_SAMPLING_PERCENTAGE_KEY, 100);
        return conf;
    }

    private static MiniDFSCluster oneDataNode(Configuration conf, Path directory)
            throws IOException {
        MiniDFSCluster started =
                new MiniDFSCluster.Builder(conf, Files.createDirectories(directory).toFile())
                        .numDataNodes(1)
                        .build();
        started.waitActive();
        return started;
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    @BeforeEach
    void names(TestInfo test) {
        String name = "/" + test.getTestMethod().orElseThrow().getName();
        source = new org.apache.hadoop.fs.Path(name, "source");
        destination = new org.apache.hadoop.fs.Path(name, "destination");
    }

    @Tag("older-hadoop")
    @Test
    void aLinkedBlockHasTheSameBytesAndChecksum() throws Exception {
        byte[] bytes = write(source, BLOCK / 2 + 77);
        linkFile();

        assertThat(read(destination)).isEqualTo(bytes);
        assertThat(fs.getFileChecksum(destination)).isEqualTo(fs.getFileChecksum(source));
        assertThat(inode(destination)).isEqualTo(inode(source));
    }

    @Test
    void bothOutliveTheOther() throws Exception {
        byte[] bytes = write(source, BLOCK);
        linkFile();
        fs.delete(source, false);
        assertThat(read(destination)).isEqualTo(bytes);

        org.apache.hadoop.fs.Path first = source;
        source = destination;
        destination = first;
        linkFile();
        fs.delete(destination, false);
        assertThat(read(source)).isEqualTo(bytes);
    }

    @Tag("older-hadoop")
    @Test
    void anAppendToEitherLeavesTheOtherAlone() throws Exception {
        byte[] bytes = write(source, 1000);
        linkFile();
        append(source, 'a');
        append(destination, 'b');

        assertThat(read(source)).isEqualTo(with(bytes, 'a'));
        assertThat(read(destination)).isEqualTo(with(bytes, 'b'));
    }

    @Test
    void aTruncationOfEitherLeavesTheOtherAlone() throws Exception {
        byte[] bytes = write(source, 10_000);
        linkFile();
        truncate(source, 5000);
        assertThat(read(destination)).isEqualTo(bytes);
        truncate(destination, 7001);

        assertThat(read(source)).isEqualTo(Arrays.copyOf(bytes, 5000));
        assertThat(read(destination)).isEqualTo(Arrays.copyOf(bytes, 7001));
    }

    @Test
    void linksOutliveARestartOfTheDataNode() throws Exception {
        byte[] bytes = write(source, BLOCK);
        linkFile();
        cluster.restartDataNode(0, true);
        cluster.waitActive();
        fs.delete(source, false);

        assertThat(read(destination)).isEqualTo(bytes);
    }

    @Test
    void aReplicaBeingWrittenIsRefused() throws Exception {
        try (FSDataOutputStream out = fs.create(source)) {
            out.write(new byte[1000]);
            out.hflush();
            LocatedBlock from = block(source);
            from.getBlock().setNumBytes(1000);
            LocatedBlock to = allocate(from);

            assertRefused(from, to, "RBW");
        }
    }

    @Test
    void aWrongLengthIsRefused() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        from.getBlock().setNumBytes(999);

        assertRefused(from, allocate(block(source)), "1000 bytes");
    }

    @Test
    void anotherGenerationStampIsRefused() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        from.getBlock().setGenerationStamp(from.getBlock().getGenerationStamp() - 1);

        assertRefused(from, allocate(block(source)), "generation stamp");
    }

    @Tag("older-hadoop")
    @Test
    void aBlockThatIsThereIsNotOverwritten() throws Exception {
        byte[] bytes = write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        link(from, to, false);

        assertRefused(from, to, "here already");
        complete(to, 1000);
        assertThat(read(destination)).isEqualTo(bytes);
    }

    @Test
    void aBlockOfAFileWithSyncedBlocksIsOnDiskWhenItIsLinked() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        long before = syncs();
        link(from, allocate(from), false);
        assertThat(syncs()).isEqualTo(before);
        fs.delete(destination, false);

        link(from, allocate(from), true);
        assertThat(syncs()).isGreaterThan(before);
    }

    @Test
    void soIsEveryBlockOfADataNodeThatSyncsOnClose(@TempDir Path directory) throws Exception {
        Configuration conf = configuration();
        conf.setBoolean(DFSConfigKeys.DFS_DATANODE_SYNCONCLOSE_KEY, true);
        MiniDFSCluster others = cluster;
        try (MiniDFSCluster syncing = oneDataNode(conf, directory)) {
            cluster = syncing;
            fs = syncing.getFileSystem();
            write(source, 1000);
            long before = syncs();
            linkFile();
            assertThat(syncs()).isGreaterThan(before);
        } finally {
            cluster = others;
            fs = others.getFileSystem();
        }
    }

    @Test
    void ofALinkThatCannotBeSyncedNothingIsLeft() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        FileIoProvider failing = spy(new FileIoProvider(null, null));
        doThrow(new IOException("no sync")).when(failing).dirSync(any(), any());

        assertNothingIsLeft(failing, from, to, "no sync");
    }

    /** As with a Hadoop that is known, and has changed nevertheless. */
    @Test
    void norOfOneThatEndsWithAnError() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        FileIoProvider failing = spy(new FileIoProvider(null, null));
        doThrow(new NoSuchMethodError("no such method")).when(failing).rename(any(), any(), any());

        assertNothingIsLeft(failing, from, to, "no such method");
    }

    private void assertNothingIsLeft(
            FileIoProvider failing, LocatedBlock from, LocatedBlock to, String why)
            throws Exception {
        FsDatasetSpi<?> data = cluster.getDataNodes().get(0).getFSDataset();
        try (FsVolumeReferences volumes = data.getFsVolumeReferences()) {
            List<Object> before = new ArrayList<>();
            for (FsVolumeSpi volume : volumes) {
                before.add(exchangeDisk(volume, failing));
            }
            try {
                assertThatThrownBy(() -> link(from, to, true)).hasMessageContaining(why);
            } finally {
                for (FsVolumeSpi volume : volumes) {
                    exchangeDisk(volume, before.remove(0));
                }
            }
        }
        LambdaTestUtils.await(
                60_000,
                20,
                () -> data.getReplicaString(pool(to), to.getBlock().getBlockId()).equals("null"));
        link(from, to, true);
    }

    private static String pool(LocatedBlock block) {
        return block.getBlock().getBlockPoolId();
    }

    private static Object exchangeDisk(FsVolumeSpi volume, Object other) throws Exception {
        Field field = volume.getClass().getDeclaredField("fileIoProvider");
        field.setAccessible(true);
        Object before = field.get(volume);
        field.set(volume, other);
        return before;
    }

    /** How often the DataNode has waited for its disk. */
    private long syncs() throws IOException {
        try (FsVolumeReferences volumes =
                cluster.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
            long syncs = 0;
            for (FsVolumeSpi volume : volumes) {
                syncs += volume.getMetrics().getSyncIoSampleCount();
            }
            return syncs;
        }
    }

    @Test
    void withoutLeaveToReadTheSourceItIsRefused() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        LocatedBlock stolen = withToken(from, to);

        assertRefused(stolen, to, "Block token");
    }

    @Test
    void withoutLeaveToWriteTheDestinationItIsRefused() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);

        assertRefused(from, withToken(to, from), "Block token");
        fs.delete(destination, false);
        // Leave to read isn't leave to write.
        assertRefused(from, block(source), "WRITE");
    }

    @Test
    void leaveToWriteIsNotLeaveToReplicate() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        link(from, to, false);

        assertThatThrownBy(() -> plugin().replicate(null, BlockLinkMessages.replicate(to)))
                .hasMessageContaining("COPY");
    }

    @Test
    void aForgedTokenIsRefused() throws Exception {
        write(source, 1000);
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        byte[] password = from.getBlockToken().getPassword();
        password[0]++;

        assertRefused(from, to, "password");
    }

    @Test
    void anUnknownVersionOfTheProtocolIsRefused() throws Exception {
        write(source, 1000);
        Configuration conf = new Configuration(cluster.getConfiguration(0));
        RPC.setProtocolEngine(conf, NextProtocol.class, ProtobufRpcEngine2.class);
        NextProtocol plugin = RPC.getProxy(NextProtocol.class, 2, address(), conf);
        LocatedBlock from = block(source);

        LocatedBlock to = allocate(from);
        assertThatThrownBy(() -> plugin.link(null, BlockLinkMessages.link(from, to, false)))
                .hasMessageContaining("version mismatch");
    }

    /** By it anybody who may connect could have made objects of any class, of any size. */
    @Test
    void theEngineForWritablesStaysOff() {
        assertThat(Server.getRpcInvoker(RPC.RpcKind.RPC_WRITABLE)).isNull();
    }

    @Test
    void aServiceThatCannotBeAuthorizedIsNotServed() {
        DataNode node = mock(DataNode.class);
        node.ipcServer = mock(RPC.Server.class);
        when(node.getConf()).thenReturn(configuration());
        when(node.getDisplayName()).thenReturn("unauthorized");
        doThrow(new IllegalStateException("no policy"))
                .when(node.ipcServer)
                .refreshServiceAcl(any(), any());

        assertThatThrownBy(() -> new BlockLinkPlugin().start(node)).hasMessage("no policy");
        verify(node.ipcServer, never()).addProtocol(any(), any(), any());
        assertThat(DefaultMetricsSystem.instance().getSource("BlockLinks-unauthorized")).isNull();
    }

    @KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
    @TokenInfo(BlockTokenSelector.class)
    @ProtocolInfo(
            protocolName = "org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol",
            protocolVersion = BlockLinkProtocol.VERSION + 1)
    interface NextProtocol {
        Empty link(RpcController unused, Message request) throws ServiceException;
    }

    private void assertRefused(LocatedBlock from, LocatedBlock to, String why) throws Exception {
        String id = to.getBlock().getBlockName();
        boolean there = replicaFile(to.getBlock()) != null;
        assertThatThrownBy(() -> link(from, to, false)).hasMessageContaining(why);
        assertThat(replicaFile(to.getBlock()) != null).as("a replica of %s", id).isEqualTo(there);
    }

    private void linkFile() throws Exception {
        LocatedBlock from = block(source);
        LocatedBlock to = allocate(from);
        link(from, to, false);
        complete(to, from.getBlockSize());
    }

    private LocatedBlock allocate(LocatedBlock like) throws IOException {
        HdfsFileStatus created =
                fs.getClient()
                        .getNamenode()
                        .create(
                                destination.toString(),
                                FsPermission.getFileDefault(),
                                ME,
                                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                                true,
                                (short) 1,
                                BLOCK,
                                CryptoProtocolVersion.supported(),
                                null,
                                null);
        LocatedBlock block =
                fs.getClient()
                        .getNamenode()
                        .addBlock(
                                destination.toString(),
                                ME,
                                null,
                                null,
                                created.getFileId(),
                                null,
                                null);
        return new LocatedBlock(block.getBlock(), new DatanodeInfo[0]) {
            {
                setBlockToken(block.getBlockToken());
            }
        };
    }

    private void complete(LocatedBlock last, long length) throws Exception {
        ExtendedBlock block = new ExtendedBlock(last.getBlock());
        block.setNumBytes(length);
        LambdaTestUtils.await(
                60_000,
                20,
                () ->
                        fs.getClient()
                                .getNamenode()
                                .complete(
                                        destination.toString(),
                                        ME,
                                        block,
                                        fs.getClient()
                                                .getFileInfo(destination.toString())
                                                .getFileId()));
    }

    private LocatedBlock block(org.apache.hadoop.fs.Path file) throws IOException {
        return fs.getClient().getLocatedBlocks(file.toString(), 0).get(0);
    }

    private static LocatedBlock withToken(LocatedBlock block, LocatedBlock of) {
        LocatedBlock other = new LocatedBlock(block.getBlock(), new DatanodeInfo[0]);
        other.setBlockToken(of.getBlockToken());
        return other;
    }

    private void link(LocatedBlock from, LocatedBlock to, boolean sync) throws Exception {
        plugin().link(null, BlockLinkMessages.link(from, to, sync));
    }

    private BlockLinkProtocol plugin() throws IOException {
        Configuration conf = new Configuration(cluster.getConfiguration(0));
        RPC.setProtocolEngine(conf, BlockLinkProtocol.class, ProtobufRpcEngine2.class);
        return RPC.getProxy(BlockLinkProtocol.class, BlockLinkProtocol.VERSION, address(), conf);
    }

    private InetSocketAddress address() {
        DataNode node = cluster.getDataNodes().get(0);
        return new InetSocketAddress("127.0.0.1", node.getIpcPort());
    }

    private Object inode(org.apache.hadoop.fs.Path file) throws IOException {
        return Files.getAttribute(replicaFile(block(file).getBlock()), "unix:ino");
    }

    private Path replicaFile(ExtendedBlock block) throws IOException {
        var file = cluster.getBlockFile(0, block);
        return file == null ? null : file.toPath();
    }

    private byte[] write(org.apache.hadoop.fs.Path file, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(bytes);
        }
        return bytes;
    }

    private void append(org.apache.hadoop.fs.Path file, char what) throws IOException {
        try (FSDataOutputStream out = fs.append(file)) {
            out.write(what);
        }
    }

    private void truncate(org.apache.hadoop.fs.Path file, long length) throws Exception {
        if (!fs.truncate(file, length)) {
            LambdaTestUtils.await(60_000, 20, () -> fs.isFileClosed(file));
        }
    }

    private byte[] read(org.apache.hadoop.fs.Path file) throws IOException {
        byte[] bytes = new byte[(int) fs.getFileStatus(file).getLen()];
        try (var in = fs.open(file)) {
            IOUtils.readFully(in, bytes, 0, bytes.length);
        }
        return bytes;
    }

    private static byte[] with(byte[] bytes, char last) {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length] = (byte) last;
        return longer;
    }
}
