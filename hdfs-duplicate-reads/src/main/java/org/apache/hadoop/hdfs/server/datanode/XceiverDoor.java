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
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.apache.hadoop.thirdparty.com.google.common.net.InetAddresses;
import org.apache.hadoop.util.Daemon;

/**
 * A door to the DataNode's xceivers, which it shows its own package only: one more server of them,
 * as a DataNode has one for TCP and may have one for its domain socket.
 *
 * <p>It accepts nothing itself: an error in {@link DataXceiverServer#run} would end the DataNode.
 */
@InterfaceAudience.Private
public abstract class XceiverDoor extends DataXceiverServer {
    /** How the thread is called by which each block that comes in is acknowledged. */
    private static final String RESPONDER = "PacketResponder";

    /** And one that sends a block: with its peer's address, and what it does. */
    private static final Pattern SENDER =
            Pattern.compile("/\\[?([^/\\]%]+)(?:%[^\\]]*)?\\]?:(\\d+) \\[Sending block ");

    /** One that sends or takes a block, whichever. */
    private static final Pattern AT_BLOCK = Pattern.compile(" \\[(Sending|Receiving) block ");

    private final DataNode node;

    /** Not the DataNode's own. */
    private static final class Ours extends Daemon {
        Ours(ThreadGroup group, Runnable run) {
            super(group, run);
        }
    }

    protected XceiverDoor(DataNode node) {
        super(null, node.getConf(), node);
        this.node = node;
    }

    /** Of the read that the calling thread serves, which now holds its volume. */
    @Override
    public abstract DataTransferThrottler getReadThrottler();

    /** {@code dfs.datanode.data.read.bandwidthPerSec}, for all reads by this server; or null. */
    public final DataTransferThrottler bandwidth() {
        return super.getReadThrottler();
    }

    /**
     * Whether the DataNode takes one more xceiver: {@code dfs.datanode.max.transfer.threads}, which
     * may be changed while it runs.
     *
     * @param share what part of these there may be
     */
    public final boolean hasRoom(double share) {
        return node.getXceiverCount() < share * node.getXferServer().getMaxXceiverCount();
    }

    /** Serves what a peer asks for, and closes it. */
    public final Runnable xceiver(Peer peer) throws IOException {
        return DataXceiver.create(peer, node, this);
    }

    /** A thread among those of the DataNode's xceivers, with which it ends. */
    public final Thread thread(Runnable run) {
        return new Ours(node.threadGroup, run);
    }

    /** Those that are at a block now, but for ours: each by a name that is of that block, too. */
    public static Set<String> atBlocks(DataNode node) {
        return all(node)
                .filter(thread -> !(thread instanceof Ours))
                .filter(thread -> AT_BLOCK.matcher(thread.getName()).find())
                .map(thread -> thread.getId() + " " + thread.getName())
                .collect(Collectors.toSet());
    }

    /** How many blocks come in, or would if their writers had anything to write. */
    public static int openForWriting(DataNode node) {
        return (int) threads(node).filter(name -> name.startsWith(RESPONDER)).count();
    }

    /**
     * How many of those peers are being sent a block. One that has been sent all of it is none: its
     * xceiver waits for the client's word, by the same name, and has given its volume back.
     */
    public static int sendingTo(DataNode node, Set<InetSocketAddress> peers) {
        if (peers.isEmpty()) {
            return 0;
        }
        return (int)
                all(node)
                        .filter(thread -> peers.contains(peerOf(thread)))
                        .filter(XceiverDoor::isSending)
                        .count();
    }

    /** To what it sends a block; null if it does something else. */
    private static InetSocketAddress peerOf(Thread thread) {
        Matcher sender = SENDER.matcher(thread.getName());
        return sender.find() && InetAddresses.isInetAddress(sender.group(1))
                ? new InetSocketAddress(
                        InetAddresses.forString(sender.group(1)), Integer.parseInt(sender.group(2)))
                : null;
    }

    private static boolean isSending(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(BlockSender.class.getName()));
    }

    private static Stream<String> threads(DataNode node) {
        return all(node).map(Thread::getName);
    }

    private static Stream<Thread> all(DataNode node) {
        // Some more may be there by then.
        Thread[] threads = new Thread[node.threadGroup.activeCount() + 16];
        return Arrays.stream(threads, 0, node.threadGroup.enumerate(threads));
    }

    /** Whether peers have to authenticate themselves before they ask for anything. */
    public static boolean hasHandshake(DataNode node) {
        return node.getDnConf().getEncryptDataTransfer()
                || node.getDnConf().getSaslPropsResolver() != null;
    }

    @Override
    public final void run() {
        throw new UnsupportedOperationException();
    }
}
