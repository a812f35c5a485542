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
package org.apache.hadoop.clone.hdfs.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Somebody who reads from all volumes, so that duplicates wait. */
final class Presence {
    private Presence() {}

    /** On all DataNodes but one, until it is closed. */
    static AutoCloseable onAll(RacedHdfs hdfs, DataNode but) throws IOException {
        return on(hdfs.cluster.getDataNodes().stream().filter(node -> node != but).toList());
    }

    /** On these, until it is closed. */
    static AutoCloseable on(List<DataNode> nodes) throws IOException {
        List<FsVolumeReference> held = new ArrayList<>();
        for (DataNode node : nodes) {
            try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
                for (FsVolumeSpi volume : volumes) {
                    held.add(volume.obtainReference());
                }
            }
        }
        return () -> {
            for (FsVolumeReference reference : held) {
                reference.close();
            }
        };
    }
}
