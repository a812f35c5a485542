package org.apache.hadoop.clone.hdfs.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.io.Writable;

/** A block with its locations and its token, on the wire as in HDFS's own protocols. */
public final class BlockMessage implements Writable {
    /** No block with its locations and token is anywhere near as long. */
    private static final int MAX_BYTES = 1 << 20;

    private LocatedBlock block;

    /** For RPC. */
    public BlockMessage() {}

    public BlockMessage(LocatedBlock block) {
        this.block = block;
    }

    public LocatedBlock get() {
        return block;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        byte[] bytes = PBHelperClient.convertLocatedBlock(block).toByteArray();
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException("a block's description can't have " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        block = PBHelperClient.convertLocatedBlockProto(LocatedBlockProto.parseFrom(bytes));
    }
}
