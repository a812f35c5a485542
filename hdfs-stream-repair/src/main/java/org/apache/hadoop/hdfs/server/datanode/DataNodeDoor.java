package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A door to what the DataNode shows its own package only. */
public final class DataNodeDoor {
    private DataNodeDoor() {}

    /** {@code dfs.datanode.synconclose}. */
    public static boolean syncsOnClose(DataNode node) {
        return node.getDnConf().syncOnClose;
    }

    /** Sends a finished replica to the block's locations, in the background. */
    public static void replicate(DataNode node, LocatedBlock block) throws IOException {
        node.transferBlock(
                block.getBlock(),
                block.getLocations(),
                block.getStorageTypes(),
                block.getStorageIDs());
    }
}
