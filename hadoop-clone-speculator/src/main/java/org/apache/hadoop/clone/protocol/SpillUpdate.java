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

/** What reduces are told of a map's spills. Which fields mean something depends on the kind. */
@InterfaceAudience.Private
public final class SpillUpdate implements Writable {
    public enum Kind {
        /** A spill is to be fetched here, and no longer where it was before. */
        AT,
        /** A spill has no records for the reduce that asks: there is nothing to be fetched. */
        EMPTY,
        /** The map has succeeded: it has so many spills. */
        DONE,
        /** The output of a map that was DONE can't be fetched any more; it runs again. */
        LOST,
        /** From this spill on everything is void; who has fetched any of that starts again. */
        VOID
    }

    private Kind kind = Kind.LOST;
    private int map;
    private int spill;
    private int attempt;
    private int runMillis;
    private String host = "";

    /** For deserialization. */
    public SpillUpdate() {}

    private SpillUpdate(Kind kind, int map, int spill, int attempt, int runMillis, String host) {
        this.kind = kind;
        this.map = map;
        this.spill = spill;
        this.attempt = attempt;
        this.runMillis = runMillis;
        this.host = host;
    }

    /**
     * @param servedAs {@link SpillNotice#servedAs}
     * @param host {@code http://host:port} of its ShuffleHandler
     */
    public static SpillUpdate at(int map, int spill, int servedAs, String host) {
        return new SpillUpdate(Kind.AT, map, spill, servedAs, 0, host);
    }

    public static SpillUpdate empty(int map, int spill) {
        return new SpillUpdate(Kind.EMPTY, map, spill, 0, 0, "");
    }

    /**
     * @param spills how many the map has
     * @param attempt number of the attempt that has succeeded
     */
    public static SpillUpdate done(int map, int spills, int attempt, int runMillis) {
        return new SpillUpdate(Kind.DONE, map, spills, attempt, runMillis, "");
    }

    public static SpillUpdate lost(int map) {
        return new SpillUpdate(Kind.LOST, map, 0, 0, 0, "");
    }

    /**
     * @param from the first spill that is void
     */
    public static SpillUpdate voided(int map, int from) {
        return new SpillUpdate(Kind.VOID, map, from, 0, 0, "");
    }

    public Kind kind() {
        return kind;
    }

    /** Index of the map in its job. */
    public int map() {
        return map;
    }

    /** Of AT, EMPTY and VOID: index of the spill; of DONE: how many there are. */
    public int spill() {
        return spill;
    }

    /** Of AT: the attempt number in the id that it is served as; of DONE: who has succeeded. */
    public int attempt() {
        return attempt;
    }

    /** Of DONE. */
    public int runMillis() {
        return runMillis;
    }

    /** Of AT. */
    public String host() {
        return host;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeEnum(out, kind);
        WritableUtils.writeVInt(out, map);
        WritableUtils.writeVInt(out, spill);
        WritableUtils.writeVInt(out, attempt);
        WritableUtils.writeVInt(out, runMillis);
        WritableUtils.writeString(out, host);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        kind = WritableUtils.readEnum(in, Kind.class);
        map = WritableUtils.readVInt(in);
        spill = WritableUtils.readVInt(in);
        attempt = WritableUtils.readVInt(in);
        runMillis = WritableUtils.readVInt(in);
        host = WritableUtils.readString(in);
    }

    @Override
    public String toString() {
        return kind + " map " + map + " spill " + spill + " attempt " + attempt + " " + host;
    }
}
