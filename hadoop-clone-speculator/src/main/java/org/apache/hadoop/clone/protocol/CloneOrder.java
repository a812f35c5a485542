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

/** What the AppMaster wants of a running attempt. */
@InterfaceAudience.Private
public final class CloneOrder implements Writable {
    public enum Kind {
        /** Nothing; the poll came to its end. */
        NONE,
        /** Say whether you can be cloned now. */
        PREPARE,
        /** Offer yourself: the clone's container is about to start. */
        OFFER,
        /** Forget the clone; whatever was begun for it ends. */
        CANCEL
    }

    private static final CloneLimits NO_LIMITS = new CloneLimits(0, 0);

    private Kind kind = Kind.NONE;
    private long serial;
    private long cloneId;
    private byte[] nonce = {};
    private CloneLimits limits = NO_LIMITS;

    /** For deserialization. */
    public CloneOrder() {}

    private CloneOrder(Kind kind, long serial, long cloneId, byte[] nonce, CloneLimits limits) {
        this.kind = kind;
        this.serial = serial;
        this.cloneId = cloneId;
        this.nonce = nonce.clone();
        this.limits = limits;
    }

    public static CloneOrder none() {
        return new CloneOrder();
    }

    public static CloneOrder prepare(long serial, long cloneId) {
        return new CloneOrder(Kind.PREPARE, serial, cloneId, new byte[0], NO_LIMITS);
    }

    /**
     * @param nonce of this clone's {@link OneTimeKey}
     */
    public static CloneOrder offer(long serial, long cloneId, byte[] nonce, CloneLimits limits) {
        return new CloneOrder(Kind.OFFER, serial, cloneId, nonce, limits);
    }

    public static CloneOrder cancel(long serial, long cloneId) {
        return new CloneOrder(Kind.CANCEL, serial, cloneId, new byte[0], NO_LIMITS);
    }

    public Kind kind() {
        return kind;
    }

    /** Grows with every order of a job. */
    public long serial() {
        return serial;
    }

    /** Which clone this is about; unique in a job. */
    public long cloneId() {
        return cloneId;
    }

    public byte[] nonce() {
        return nonce.clone();
    }

    /** Of an offer. */
    public CloneLimits limits() {
        return limits;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeEnum(out, kind);
        out.writeLong(serial);
        out.writeLong(cloneId);
        WritableUtils.writeVInt(out, nonce.length);
        out.write(nonce);
        out.writeLong(limits.patienceMillis());
        out.writeLong(limits.limitMillis());
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        kind = WritableUtils.readEnum(in, Kind.class);
        serial = in.readLong();
        cloneId = in.readLong();
        nonce = new byte[WritableUtils.readVInt(in)];
        in.readFully(nonce);
        limits = new CloneLimits(in.readLong(), in.readLong());
    }

    @Override
    public String toString() {
        return kind + " " + serial + " of clone " + cloneId;
    }
}
