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
