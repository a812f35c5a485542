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
package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/** The job's token, and what is derived from it for a container. */
final class LaunchSecrets {
    private volatile Token<JobTokenIdentifier> jobToken;

    /**
     * Learns the job's token where it can be found first: among a container's credentials.
     *
     * @return the token
     */
    Token<JobTokenIdentifier> learn(ContainerLaunchContext container) throws IOException {
        jobToken = TokenCache.getJobToken(credentials(container));
        if (jobToken == null) {
            throw new IOException("a task's container without a job token");
        }
        return jobToken;
    }

    /** Puts a clone's one-time key among its container's credentials. */
    void addKey(ContainerLaunchContext container, long cloneId, byte[] nonce) throws IOException {
        Credentials credentials = credentials(container);
        OneTimeKey key = OneTimeKey.of(jobToken.getPassword(), cloneId, nonce);
        credentials.addSecretKey(new Text(OneTimeKey.ALIAS), key.credential());
        DataOutputBuffer out = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(out);
        container.setTokens(ByteBuffer.wrap(out.getData(), 0, out.getLength()));
    }

    private static Credentials credentials(ContainerLaunchContext container) throws IOException {
        Credentials credentials = new Credentials();
        DataInputByteBuffer in = new DataInputByteBuffer();
        in.reset(container.getTokens().duplicate());
        credentials.readTokenStorageStream(in);
        return credentials;
    }
}
