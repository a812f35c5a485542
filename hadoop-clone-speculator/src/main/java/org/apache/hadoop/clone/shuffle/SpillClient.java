package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/** The way from a task to its AppMaster. */
final class SpillClient {
    private SpillClient() {}

    /**
     * @param address {@code host:port}
     */
    static SpillProtocol connect(String address, JobID jobId, Configuration job)
            throws IOException {
        InetSocketAddress appMaster = NetUtils.createSocketAddr(address);
        // A copy: the original is for the umbilical's address.
        Token<JobTokenIdentifier> token =
                new Token<>(
                        TokenCache.getJobToken(
                                UserGroupInformation.getLoginUser().getCredentials()));
        SecurityUtil.setTokenService(token, appMaster);
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(jobId.toString());
        caller.addToken(token);
        try {
            return caller.doAs(
                    (PrivilegedExceptionAction<SpillProtocol>)
                            () ->
                                    RPC.getProxy(
                                            SpillProtocol.class,
                                            SpillProtocol.versionID,
                                            appMaster,
                                            job));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
        }
    }
}
