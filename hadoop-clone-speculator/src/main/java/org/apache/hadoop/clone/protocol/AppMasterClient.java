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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/** A task's way to a server of its AppMaster: as the job, by the job's token. */
@InterfaceAudience.Private
public final class AppMasterClient {
    private final InetSocketAddress address;
    private final JobID job;
    private final Token<JobTokenIdentifier> token;

    /**
     * @param address {@code host:port}
     * @throws IOException if this process has no token of a job
     */
    public AppMasterClient(String address, JobID job) throws IOException {
        this.address = NetUtils.createSocketAddr(address);
        this.job = job;
        Token<JobTokenIdentifier> ofUmbilical =
                TokenCache.getJobToken(UserGroupInformation.getLoginUser().getCredentials());
        if (ofUmbilical == null) {
            throw new IOException("there is no token of " + job);
        }
        // A copy: the other is for the umbilical's address.
        token = new Token<>(ofUmbilical);
        SecurityUtil.setTokenService(token, this.address);
    }

    /**
     * A new proxy; nothing is sent yet.
     *
     * @param version that this side speaks
     */
    public <P> P connect(Class<P> protocol, long version, Configuration conf) throws IOException {
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(job.toString());
        caller.addToken(token);
        try {
            return caller.doAs(
                    (PrivilegedExceptionAction<P>)
                            () -> RPC.getProxy(protocol, version, address, patient(conf)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
        }
    }

    /** Questions are left open for longer than some jobs and clusters let calls last. */
    static Configuration patient(Configuration conf) {
        int millis = RPC.getRpcTimeout(conf);
        if (millis == 0 || millis >= CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_DEFAULT) {
            return conf;
        }
        Configuration patient = new Configuration(conf);
        patient.setInt(
                CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY,
                CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_DEFAULT);
        return patient;
    }

    /** What only the job's processes know. */
    public byte[] password() {
        return token.getPassword();
    }
}
