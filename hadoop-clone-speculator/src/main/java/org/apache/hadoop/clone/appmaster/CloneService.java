package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapred.TaskAttemptID;
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
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.concurrent.HadoopExecutors;

/**
 * The task-facing RPC. Waiting attempts hold a connection and an entry in {@link Orders}, but no
 * handler thread.
 */
final class CloneService extends AbstractService implements CloneProtocol {
    private static final int HANDLERS = 4;

    /** Less than any time-out of an RPC connection. */
    private static final long PARK_MILLIS = TimeUnit.SECONDS.toMillis(45);

    private static final long FORGET_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long SWEEP_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final String host;
    private final Orders orders;
    private final CloneListener listener;
    private final JobTokenSecretManager tokens = new JobTokenSecretManager();
    private final ScheduledExecutorService sweeper =
            HadoopExecutors.newSingleThreadScheduledExecutor();
    private volatile String jobUser;
    private RPC.Server server;
    private String address;

    /** What the coordinator is told, and asked. */
    interface CloneListener {
        void answered(TaskAttemptID attempt, CloneAnswer answer);

        boolean mayFreeze(TaskAttemptID original, long clone);

        CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
                throws IOException;

        void cloneRunning(TaskAttemptID attempt, long clone) throws IOException;
    }

    /**
     * @param host of this AppMaster, as tasks reach it
     */
    CloneService(String host, Orders orders, CloneListener listener) {
        super(CloneService.class.getName());
        this.host = host;
        this.orders = orders;
        this.listener = listener;
    }

    @Override
    protected void serviceStart() throws Exception {
        Configuration conf = getConfig();
        server =
                new RPC.Builder(conf)
                        .setProtocol(CloneProtocol.class)
                        .setInstance(this)
                        .setBindAddress("0.0.0.0")
                        .setPortRangeConfig(MRJobConfig.MR_AM_JOB_CLIENT_PORT_RANGE)
                        .setNumHandlers(HANDLERS)
                        .setSecretManager(tokens)
                        .build();
        if (conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(conf, new Policies());
        }
        server.start();
        InetSocketAddress listening =
                NetUtils.createSocketAddrForHost(host, server.getListenerAddress().getPort());
        address = NetUtils.getHostPortString(listening);
        sweeper.scheduleWithFixedDelay(
                this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        super.serviceStart();
    }

    private void sweep() {
        long now = Time.monotonicNow();
        orders.expire(now - PARK_MILLIS, now - FORGET_MILLIS);
    }

    @Override
    protected void serviceStop() throws Exception {
        sweeper.shutdownNow();
        if (server != null) {
            server.stop();
        }
        super.serviceStop();
    }

    /** {@code host:port}. */
    String address() {
        return address;
    }

    /** From now on the job's tasks can call. */
    void accept(String jobId, Token<JobTokenIdentifier> token) {
        tokens.addTokenForJob(jobId, token);
        jobUser = jobId;
    }

    @Override
    public CloneOrder awaitOrder(TaskAttemptID attempt, long seen) throws IOException {
        requireToken();
        Server.Call call = Server.getCurCall().get();
        // Deferred before anybody can answer: the other order would send two answers.
        call.deferResponse();
        Orders.Answer answer =
                order -> call.setDeferredResponse(new ObjectWritable(CloneOrder.class, order));
        orders.ask(attempt, seen, Time.monotonicNow(), answer).ifPresent(answer::with);
        return null;
    }

    @Override
    public void answer(TaskAttemptID attempt, CloneAnswer answer) throws IOException {
        requireToken();
        listener.answered(attempt, answer);
    }

    @Override
    public boolean mayFreeze(TaskAttemptID original, long clone) throws IOException {
        requireToken();
        return listener.mayFreeze(original, clone);
    }

    @Override
    public CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
            throws IOException {
        requireToken();
        return listener.becomeClone(original, clone, containerId);
    }

    @Override
    public void cloneRunning(TaskAttemptID attempt, long clone) throws IOException {
        requireToken();
        listener.cloneRunning(attempt, clone);
    }

    /** Clusters without security let everybody in who says a name. */
    private void requireToken() throws IOException {
        UserGroupInformation caller = Server.getRemoteUser();
        if (caller == null
                || caller.getAuthenticationMethod() != AuthenticationMethod.TOKEN
                || !caller.getUserName().equals(jobUser)) {
            throw new AccessControlException(caller + " has no token of this job");
        }
    }

    @Override
    public long getProtocolVersion(String protocol, long clientVersion) {
        return versionID;
    }

    @Override
    public ProtocolSignature getProtocolSignature(
            String protocol, long clientVersion, int clientMethodsHash) throws IOException {
        return ProtocolSignature.getProtocolSignature(
                this, protocol, clientVersion, clientMethodsHash);
    }

    /** Service authorization knows each protocol by a key; this one is as open as the umbilical. */
    private static final class Policies extends PolicyProvider {
        @Override
        public Service[] getServices() {
            return new Service[] {
                new Service("security.job.clone.protocol.acl", CloneProtocol.class)
            };
        }
    }
}
