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
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An RPC server of the AppMaster for the tasks of its job, and nobody else. */
final class TaskServer {
    private static final Logger LOG = LoggerFactory.getLogger(TaskServer.class);

    /**
     * For how long an answer may be deferred: less than the default time-out of RPCs. Clusters may
     * have a shorter one, which whoever waits for such an answer must lengthen.
     */
    static final long PARK_MILLIS = TimeUnit.SECONDS.toMillis(45);

    /** How often to look for answers that have been deferred so long. */
    static final long SWEEP_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final JobTokenSecretManager tokens = new JobTokenSecretManager();
    private final Service policy;
    private volatile String jobUser;
    private RPC.Server server;
    private String address;

    /**
     * @param aclKey by which service authorization knows the protocol: as open as the umbilical
     */
    TaskServer(Class<?> protocol, String aclKey) {
        policy = new Service(aclKey, protocol);
    }

    /**
     * @param host of this AppMaster, as tasks reach it
     * @param instance of the protocol; each of its methods begins with {@link #requireToken()}
     */
    private void start(Configuration conf, String host, Object instance, int handlers)
            throws IOException {
        server =
                new RPC.Builder(conf)
                        .setProtocol(policy.getProtocol())
                        .setInstance(instance)
                        .setBindAddress("0.0.0.0")
                        .setPortRangeConfig(MRJobConfig.MR_AM_JOB_CLIENT_PORT_RANGE)
                        .setNumHandlers(handlers)
                        .setSecretManager(tokens)
                        .build();
        if (conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(
                    conf,
                    new PolicyProvider() {
                        @Override
                        public Service[] getServices() {
                            return new Service[] {policy};
                        }
                    });
        }
        server.start();
        InetSocketAddress listening =
                NetUtils.createSocketAddrForHost(host, server.getListenerAddress().getPort());
        address = NetUtils.getHostPortString(listening);
    }

    /**
     * The same; or nothing but a line in the log, if there is no port left in the range that
     * AppMasters may use: a job needs ours less than it needs its AppMaster.
     */
    void startIfPossible(Configuration conf, String host, Object instance, int handlers) {
        try {
            start(conf, host, instance, handlers);
        } catch (IOException | RuntimeException e) {
            stop();
            LOG.error(
                    "Tasks can't reach {} of this AppMaster: {}. Is {} too small for it?",
                    policy.getProtocol().getSimpleName(),
                    e,
                    MRJobConfig.MR_AM_JOB_CLIENT_PORT_RANGE);
        }
    }

    /** Harmless if it wasn't started. */
    void stop() {
        if (server != null) {
            server.stop();
        }
    }

    /** {@code host:port}; null before the start, and if that wasn't possible. */
    String address() {
        return address;
    }

    /** From now on the job's tasks can call. */
    void accept(String jobId, Token<JobTokenIdentifier> token) {
        tokens.addTokenForJob(jobId, token);
        jobUser = jobId;
    }

    /**
     * Clusters without security let everybody in who says a name.
     *
     * @throws AccessControlException if the present call's caller has no token of the job
     */
    void requireToken() throws AccessControlException {
        UserGroupInformation caller = Server.getRemoteUser();
        if (caller == null
                || caller.getAuthenticationMethod() != AuthenticationMethod.TOKEN
                || !caller.getUserName().equals(jobUser)) {
            throw new AccessControlException(caller + " has no token of this job");
        }
    }

    /**
     * The present call is answered later, and holds no handler until then.
     *
     * @param type that its method returns; what that itself returns is ignored
     * @return is given the answer, once
     */
    static <T> Consumer<T> defer(Class<T> type) {
        Server.Call call = Server.getCurCall().get();
        // Before anybody can answer: the other order would send two answers.
        call.deferResponse();
        return answer -> call.setDeferredResponse(new ObjectWritable(type, answer));
    }
}
