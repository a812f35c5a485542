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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Collection;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.tracing.TraceScope;

/** A door to what HDFS's client shows its own package only. */
@InterfaceAudience.Private
public final class InputStreamDoor {
    private InputStreamDoor() {}

    public static Configuration configuration(DFSClient client) {
        return client.getConfiguration();
    }

    /** A socket as the client makes those to DataNodes; not connected. */
    public static Socket newSocket(DFSClient client) throws IOException {
        return client.socketFactory.createSocket();
    }

    /**
     * {@code dfs.client.local.interfaces}.
     *
     * @return null for any
     */
    public static SocketAddress localInterface(DFSClient client) {
        return client.getRandomLocalInterfaceAddr();
    }

    /** Whether any client of this JVM has switched stock's hedged reads on. */
    public static boolean isHedged(DFSClient client) {
        return client.isHedgedReadsEnabled();
    }

    /** A file system with a client of another class. */
    public abstract static class System extends DistributedFileSystem {
        /** What stock would make a {@link DFSClient} of. */
        protected abstract DFSClient newClient(
                URI uri, Configuration conf, FileSystem.Statistics statistics) throws IOException;

        @Override
        void initDFSClient(URI uri, Configuration conf) throws IOException {
            dfs = newClient(uri, conf, statistics);
        }
    }

    /** A client with input streams of another class. */
    public abstract static class Client extends DFSClient {
        protected Client(URI uri, Configuration conf, FileSystem.Statistics statistics)
                throws IOException {
            super(uri, conf, statistics);
        }

        /**
         * Of a file whose blocks are replicated.
         *
         * @param located not null
         */
        protected abstract DFSInputStream newStream(
                String file, boolean verifyChecksum, LocatedBlocks located) throws IOException;

        @Override
        @SuppressWarnings("try")
        public DFSInputStream open(String file, int bufferSize, boolean verifyChecksum)
                throws IOException {
            checkOpen();
            try (TraceScope ignored = newPathTraceScope("newDFSInputStream", file)) {
                return newStream(getLocatedBlocks(file, 0), file, verifyChecksum);
            }
        }

        @Override
        @SuppressWarnings("try")
        public DFSInputStream open(HdfsPathHandle file, int bufferSize, boolean verifyChecksum)
                throws IOException {
            checkOpen();
            String path = file.getPath();
            try (TraceScope ignored = newPathTraceScope("newDFSInputStream", path)) {
                HdfsLocatedFileStatus status = getLocatedFileInfo(path, true);
                file.verify(status);
                return newStream(status.getLocatedBlocks(), path, verifyChecksum);
            }
        }

        // As the private openInternal.
        private DFSInputStream newStream(LocatedBlocks located, String file, boolean verifyChecksum)
                throws IOException {
            if (located == null) {
                throw new IOException("Cannot open filename " + file);
            }
            ErasureCodingPolicy striped = located.getErasureCodingPolicy();
            return striped == null
                    ? newStream(file, verifyChecksum, located)
                    : new DFSStripedInputStream(this, file, verifyChecksum, striped, located);
        }
    }

    /** An input stream, for a class of another package. */
    public abstract static class Stream extends DFSInputStream {
        protected Stream(
                DFSClient client, String file, boolean verifyChecksum, LocatedBlocks located)
                throws IOException {
            super(client, file, verifyChecksum, located);
        }

        /**
         * Which replicas aren't to be read now, those that stock ignores among them.
         *
         * @param ignored null for none
         */
        protected abstract Collection<DatanodeInfo> passedOver(
                LocatedBlock block, Collection<DatanodeInfo> ignored);

        @Override
        protected DNAddrPair getBestNodeDNAddrPair(
                LocatedBlock block, Collection<DatanodeInfo> ignored) {
            Collection<DatanodeInfo> passedOver = passedOver(block, ignored);
            DNAddrPair best = super.getBestNodeDNAddrPair(block, passedOver);
            // The best may have died since; stock would wait for seconds before it tries the
            // others.
            return best == null && passedOver != ignored
                    ? super.getBestNodeDNAddrPair(block, ignored)
                    : best;
        }

        /** Whether the replica can't be read through a descriptor (HDFS-2757). */
        protected boolean isUnderConstruction() {
            return shortCircuitForbidden();
        }
    }
}
