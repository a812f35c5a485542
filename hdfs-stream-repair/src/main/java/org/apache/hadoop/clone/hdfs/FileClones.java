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

import java.io.Closeable;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSClient;

/** One for each client: what is learned of DataNodes with one file holds for all the others. */
final class FileClones implements Closeable {
    private final Map<DFSClient, FileClone> byClient = new IdentityHashMap<>();

    FileClone by(DFSClient client) throws IOException {
        FileClone clone = byClient.get(client);
        if (clone == null) {
            clone = new FileClone(client);
            byClient.put(client, clone);
        }
        return clone;
    }

    @Override
    public void close() {
        byClient.values().forEach(FileClone::close);
    }
}
