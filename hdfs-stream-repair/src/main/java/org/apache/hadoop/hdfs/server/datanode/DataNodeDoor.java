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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A door to what the DataNode shows its own package only. */
@InterfaceAudience.Private
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
