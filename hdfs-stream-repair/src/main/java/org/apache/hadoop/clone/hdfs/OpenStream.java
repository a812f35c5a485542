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
package org.apache.hadoop.clone.hdfs;

import java.io.IOException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.clone.seam.HiddenField;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSOutputSummer;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** One stream that was open when the process was to be cloned. */
final class OpenStream {
    private final DFSOutputStream out;

    OpenStream(DFSOutputStream out) {
        this.out = out;
    }

    DFSOutputStream stream() {
        return out;
    }

    DFSClient client() {
        return OutputStreamDoor.client(out);
    }

    String path() {
        return OutputStreamDoor.path(out);
    }

    /** A clone's file can only be made under the name that the stream knows. */
    boolean isWhereItWasOpened() throws IOException {
        HdfsFileStatus there = client().getFileInfo(path());
        return there != null && there.getFileId() == out.getFileId();
    }

    /** Why it can't be repaired, whatever its state. */
    Optional<String> obstacle() {
        if (out.getClass() != DFSOutputStream.class) {
            return Optional.of(path() + " is erasure coded");
        }
        if (out.getFileEncryptionInfo() != null) {
            return Optional.of(path() + " is encrypted");
        }
        return Optional.empty();
    }

    /**
     * Flushes it, and leaves it one that its writer hasn't flushed, if he hasn't: of a flushed
     * stream HDFS demands another DataNode for each that dies, and ends it if there is none ({@code
     * ReplaceDatanodeOnFailure}, HDFS-3091). A freeze must not make it more fragile.
     */
    void flush() throws IOException {
        Thread streamer = OutputStreamDoor.streamer(out);
        boolean flushed = Hidden.WAS_FLUSHED.get(streamer);
        OutputStreamDoor.flush(out);
        if (!flushed) {
            synchronized (out) {
                Hidden.WAS_FLUSHED.set(streamer, false);
            }
        }
    }

    /**
     * Whether all that was written to it is acknowledged, and its thread waits for more. To be
     * asked with its monitors held, which is what makes that last.
     */
    boolean isStill() {
        Thread streamer = OutputStreamDoor.streamer(out);
        int buffered = Hidden.BUFFERED.get(out);
        return !OutputStreamDoor.hasPacket(out)
                && Hidden.UNACKNOWLEDGED.get(streamer).isEmpty()
                && OutputStreamDoor.flushedInBlock(out)
                        == OutputStreamDoor.writtenInBlock(out) + buffered
                && isWaiting(streamer);
    }

    /** Elsewhere it might be recovering a pipeline, which no monitor stops. */
    private boolean isWaiting(Thread streamer) {
        ThreadInfo thread = ManagementFactory.getThreadMXBean().getThreadInfo(streamer.getId());
        LockInfo lock = thread == null ? null : thread.getLockInfo();
        return lock != null
                && lock.getIdentityHashCode()
                        == System.identityHashCode(OutputStreamDoor.queue(out))
                && !OutputStreamDoor.hasError(out);
    }

    /** Of its blocks; empty if it has none yet. */
    String pool() {
        return OutputStreamDoor.lastBlock(out).map(ExtendedBlock::getBlockPoolId).orElse("");
    }

    StreamState state() {
        return new StreamState(
                path(),
                out.getFileId(),
                OutputStreamDoor.lastBlock(out),
                OutputStreamDoor.flushedInBlock(out));
    }

    /** What the stream was created with, as far as later blocks depend on it. */
    EnumSet<CreateFlag> flags() {
        EnumSet<CreateFlag> flags = EnumSet.noneOf(CreateFlag.class);
        if (OutputStreamDoor.syncsBlocks(out)) {
            flags.add(CreateFlag.SYNC_BLOCK);
        }
        for (AddBlockFlag flag : OutputStreamDoor.addBlockFlags(out)) {
            flags.add(CreateFlag.valueOf(flag.name()));
        }
        return flags;
    }

    void silence() {
        OutputStreamDoor.silence(out);
    }

    /**
     * Makes another stream go on as this one: whoever holds this object, be it wrapped in whatever,
     * writes to the other file from now on. The other object must not be used again. Its monitor is
     * held meanwhile, by a thread that lets go of it afterwards: so another one that gets it sees
     * what was written here.
     */
    void become(DFSOutputStream other) throws IOException {
        OutputStreamDoor.closeThreads(out);
        HiddenField.copyAll(FSOutputSummer.class, other, out);
        HiddenField.copyAll(DFSOutputStream.class, other, out);
        client().putFileBeingWritten(out.getUniqKey(), out);
    }
}
