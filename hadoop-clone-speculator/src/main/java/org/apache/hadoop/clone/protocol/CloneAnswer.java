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
package org.apache.hadoop.clone.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** What an original tells about its clone. */
@InterfaceAudience.Private
public final class CloneAnswer implements Writable {
    public enum Kind {
        /** To PREPARE: can be cloned; with the size of its files and its memory. */
        ABLE,
        /** To any order: the task can't be cloned now; with the reason. */
        REFUSED,
        /** To OFFER: waits for the clone's container, at an address. */
        OFFERED,
        /** The clone has been sent to its container; with what that took. */
        SENT,
        /** What makes the clone failed after the order to offer; with its last word. */
        FAILED
    }

    private Kind kind = Kind.REFUSED;
    private long cloneId;
    private long fileBytes;
    private long memoryBytes;
    private long waitedMillis;
    private long frozenMillis;
    private long gateMillis;
    private CloneTravel travel = CloneTravel.NONE;
    private String text = "";
    private SourcePaths paths = new SourcePaths();

    /** For deserialization. */
    public CloneAnswer() {}

    private CloneAnswer(Kind kind, long cloneId, String text) {
        this.kind = kind;
        this.cloneId = cloneId;
        this.text = text;
    }

    /**
     * @param fileBytes what the file clone set holds
     * @param memoryBytes what the process has in memory
     */
    public static CloneAnswer able(long cloneId, long fileBytes, long memoryBytes) {
        CloneAnswer answer = new CloneAnswer(Kind.ABLE, cloneId, "");
        answer.fileBytes = fileBytes;
        answer.memoryBytes = memoryBytes;
        return answer;
    }

    /** Of ABLE: what of the time until this answer was only waited for something to pass. */
    public CloneAnswer havingWaited(long millis) {
        waitedMillis = millis;
        return this;
    }

    public static CloneAnswer refused(long cloneId, String reason) {
        return new CloneAnswer(Kind.REFUSED, cloneId, reason);
    }

    /**
     * @param address {@code host:port} of the waiting serve
     */
    public static CloneAnswer offered(long cloneId, String address, SourcePaths paths) {
        CloneAnswer answer = new CloneAnswer(Kind.OFFERED, cloneId, address);
        answer.paths = paths;
        return answer;
    }

    /**
     * @param frozenMillis how long the original was frozen
     * @param gateMillis how long it did nothing because of its clone, the freeze included
     */
    public static CloneAnswer sent(
            long cloneId, long frozenMillis, long gateMillis, CloneTravel travel) {
        CloneAnswer answer = new CloneAnswer(Kind.SENT, cloneId, "");
        answer.frozenMillis = frozenMillis;
        answer.gateMillis = gateMillis;
        answer.travel = travel;
        return answer;
    }

    public static CloneAnswer failed(long cloneId, String reason) {
        return new CloneAnswer(Kind.FAILED, cloneId, reason);
    }

    public Kind kind() {
        return kind;
    }

    public long cloneId() {
        return cloneId;
    }

    /** Of ABLE. */
    public long fileBytes() {
        return fileBytes;
    }

    /** Of ABLE. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /** Of ABLE. */
    public long waitedMillis() {
        return waitedMillis;
    }

    /** Of SENT. */
    public long frozenMillis() {
        return frozenMillis;
    }

    /** Of SENT. */
    public long gateMillis() {
        return gateMillis;
    }

    /** Of SENT. */
    public CloneTravel travel() {
        return travel;
    }

    /** Of REFUSED and FAILED. */
    public String reason() {
        return text;
    }

    /** Of OFFERED. */
    public String address() {
        return text;
    }

    /** Of OFFERED. */
    public SourcePaths paths() {
        return paths;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeEnum(out, kind);
        out.writeLong(cloneId);
        out.writeLong(fileBytes);
        out.writeLong(memoryBytes);
        out.writeLong(waitedMillis);
        out.writeLong(frozenMillis);
        out.writeLong(gateMillis);
        travel.write(out);
        WritableUtils.writeString(out, text);
        paths.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        kind = WritableUtils.readEnum(in, Kind.class);
        cloneId = in.readLong();
        fileBytes = in.readLong();
        memoryBytes = in.readLong();
        waitedMillis = in.readLong();
        frozenMillis = in.readLong();
        gateMillis = in.readLong();
        travel = CloneTravel.read(in);
        text = WritableUtils.readString(in);
        paths = new SourcePaths();
        paths.readFields(in);
    }

    @Override
    public String toString() {
        return kind + " clone " + cloneId + (text.isEmpty() ? "" : ": " + text);
    }
}
