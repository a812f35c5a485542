package org.apache.hadoop.clone.protocol;

import java.io.IOException;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.VersionedProtocol;

/** What an AppMaster serves its tasks. Says the same of itself wherever it is served. */
public interface TaskProtocol extends VersionedProtocol {
    @Override
    default ProtocolSignature getProtocolSignature(
            String protocol, long clientVersion, int clientMethodsHash) throws IOException {
        return ProtocolSignature.getProtocolSignature(
                this, protocol, clientVersion, clientMethodsHash);
    }
}
