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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.NextProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over the wire, from clients as tasks are. */
@Timeout(60)
class CloneServiceTest {
    private static final String JOB = "job_1_0001";
    private static final int MORE_THAN_HANDLERS = 20;

    private final Configuration conf = new Configuration();
    private final Orders orders = new Orders();
    private final Listener listener = new Listener();
    private final CloneService service = new CloneService("localhost", orders, listener);
    private final Token<JobTokenIdentifier> token = jobToken();
    private final List<CloneProtocol> proxies = new ArrayList<>();
    private final ExecutorService tasks = Executors.newCachedThreadPool();

    /** Says what it heard, and expects one clone: of attempt 0, in container_7. */
    private static final class Listener implements CloneService.CloneListener {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void answered(TaskAttemptID attempt, CloneAnswer answer) {
            heard.add(attempt + " " + answer);
        }

        @Override
        public FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli) {
            return original.equals(attempt(0)) ? FreezeLeave.GRANTED : FreezeLeave.REFUSED;
        }

        @Override
        public CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
                throws IOException {
            if (!containerId.equals("container_7")) {
                throw new IOException("nobody is expected in " + containerId);
            }
            return new CloneIdentity(attempt(1), containerId, "h2");
        }

        @Override
        public void cloneRunning(TaskAttemptID attempt, long clone) {
            heard.add(attempt + " runs as clone " + clone);
        }
    }

    private static TaskAttemptID attempt(int number) {
        return new TaskAttemptID("1", 1, TaskType.MAP, 0, number);
    }

    private static Token<JobTokenIdentifier> jobToken() {
        return new Token<>(new JobTokenIdentifier(new Text(JOB)), new JobTokenSecretManager());
    }

    /** Of stock's own servers there are two; ours may be one too many. */
    @Test
    void withoutAFreePortInTheRangeThereIsNoAddressAndTheAppMasterStarts() throws IOException {
        CloneService late = new CloneService("localhost", orders, listener);
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            conf.set(MRJobConfig.MR_AM_JOB_CLIENT_PORT_RANGE, port + "-" + port);
            late.init(conf);
            late.start();
            assertThat(late.address()).isNull();
        } finally {
            late.stop();
        }
    }

    @BeforeEach
    void start() {
        service.init(conf);
        service.start();
        service.accept(JOB, token);
    }

    @AfterEach
    void stop() {
        proxies.forEach(RPC::stopProxy);
        service.stop();
        tasks.shutdownNow();
    }

    private CloneProtocol task() throws Exception {
        return client(JOB, token);
    }

    /**
     * @param with null for none
     */
    private CloneProtocol client(String user, Token<JobTokenIdentifier> with) throws Exception {
        return client(service, user, with);
    }

    private CloneProtocol client(CloneService server, String user, Token<JobTokenIdentifier> with)
            throws Exception {
        InetSocketAddress address = NetUtils.createSocketAddr(server.address());
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        if (with != null) {
            Token<JobTokenIdentifier> own = new Token<>(with);
            SecurityUtil.setTokenService(own, address);
            caller.addToken(own);
        }
        CloneProtocol proxy =
                caller.doAs(
                        (PrivilegedExceptionAction<CloneProtocol>)
                                () ->
                                        RPC.getProxy(
                                                CloneProtocol.class,
                                                CloneProtocol.versionID,
                                                address,
                                                conf));
        proxies.add(proxy);
        return proxy;
    }

    private CompletableFuture<CloneOrder> poll(CloneProtocol client, TaskAttemptID attempt) {
        CompletableFuture<CloneOrder> order =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return client.awaitOrder(attempt, 0);
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        tasks);
        await().until(() -> orders.asks(attempt));
        return order;
    }

    @Test
    void anOrderReachesTheTaskThatWaitsForIt() throws Exception {
        CompletableFuture<CloneOrder> order = poll(task(), attempt(0));
        assertThat(order).isNotDone();
        CloneLimits limits = new CloneLimits(700, 1000);
        orders.put(attempt(0), CloneOrder.offer(5, 3, new byte[] {1, 2}, limits));
        CloneOrder told = order.get(10, TimeUnit.SECONDS);
        assertThat(told).hasToString("OFFER 5 of clone 3");
        assertThat(told.nonce()).containsExactly(1, 2);
        assertThat(told.limits()).isEqualTo(limits);
    }

    @Test
    void anOrderThatIsThereIsToldAtOnce() throws Exception {
        CloneProtocol task = task();
        CompletableFuture<CloneOrder> first = poll(task, attempt(0));
        orders.put(attempt(0), CloneOrder.prepare(5, 3));
        first.get(10, TimeUnit.SECONDS);
        assertThat(task.awaitOrder(attempt(0), 4)).hasToString("PREPARE 5 of clone 3");
    }

    @Test
    void aPollThatEndsWithoutAnOrderSaysSo() throws Exception {
        CompletableFuture<CloneOrder> order = poll(task(), attempt(0));
        orders.expire(Long.MAX_VALUE, 0);
        assertThat(order.get(10, TimeUnit.SECONDS).kind()).isEqualTo(CloneOrder.Kind.NONE);
    }

    @Test
    void waitingTasksHoldNoHandler() throws Exception {
        List<CompletableFuture<CloneOrder>> waiting = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_HANDLERS; i++) {
            waiting.add(poll(task(), attempt(i)));
        }
        assertThat(task().mayFreeze(attempt(0), 1, 0)).isEqualTo(FreezeLeave.GRANTED);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        for (int i = 0; i < MORE_THAN_HANDLERS; i++) {
            orders.put(attempt(i), CloneOrder.prepare(100 + i, 1));
        }
        for (int i = 0; i < MORE_THAN_HANDLERS; i++) {
            assertThat(waiting.get(i).get(10, TimeUnit.SECONDS).serial()).isEqualTo(100 + i);
        }
    }

    @Test
    void whatTasksSayIsPassedOn() throws Exception {
        CloneProtocol task = task();
        task.answer(attempt(0), CloneAnswer.refused(3, "it has a child"));
        assertThat(task.mayFreeze(attempt(0), 3, 0)).isEqualTo(FreezeLeave.GRANTED);
        assertThat(task.mayFreeze(attempt(9), 3, 0)).isEqualTo(FreezeLeave.REFUSED);
        assertThat(task.becomeClone(attempt(0), 3, "container_7"))
                .hasToString(attempt(1) + " in container_7 on h2");
        task.cloneRunning(attempt(1), 3);
        assertThat(listener.heard)
                .containsExactly(
                        attempt(0) + " REFUSED clone 3: it has a child",
                        attempt(1) + " runs as clone 3");
    }

    @Test
    void aProcessThatNobodyExpectsIsTold() throws Exception {
        CloneProtocol task = task();
        assertThatThrownBy(() -> task.becomeClone(attempt(0), 3, "container_8"))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("nobody is expected in container_8");
    }

    /** Clusters without security let in who says a name; the job's name is no secret. */
    @Test
    void withoutATokenEveryCallIsRefused() throws Exception {
        CloneProtocol stranger = client(JOB, null);
        assertRefused(() -> stranger.awaitOrder(attempt(0), 0));
        assertRefused(() -> stranger.answer(attempt(0), CloneAnswer.refused(1, "")));
        assertRefused(() -> stranger.mayFreeze(attempt(0), 1, 0));
        assertRefused(() -> stranger.becomeClone(attempt(0), 1, "container_7"));
        assertRefused(() -> stranger.cloneRunning(attempt(1), 1));
        assertThat(listener.heard).isEmpty();
        assertThat(orders.asks(attempt(0))).isFalse();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("has no token of this job");
    }

    @Test
    void aForgedTokenIsRefused() throws Exception {
        CloneProtocol forger = client(JOB, jobToken());
        assertThatThrownBy(() -> forger.mayFreeze(attempt(0), 1, 0))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anotherJobsTokenIsRefused() throws Exception {
        Token<JobTokenIdentifier> other =
                new Token<>(
                        new JobTokenIdentifier(new Text("job_1_0002")),
                        new JobTokenSecretManager());
        CloneProtocol stranger = client("job_1_0002", other);
        assertThatThrownBy(() -> stranger.mayFreeze(attempt(0), 1, 0))
                .isInstanceOf(IOException.class);
    }

    /** As in the midst of a rolling upgrade. */
    @Test
    void aTaskOfAnotherVersionIsToldSo() throws Exception {
        InetSocketAddress address = NetUtils.createSocketAddr(service.address());
        SecurityUtil.setTokenService(token, address);
        UserGroupInformation user = UserGroupInformation.createRemoteUser(JOB);
        user.addToken(token);
        NextProtocol task =
                user.doAs(
                        (PrivilegedExceptionAction<NextProtocol>)
                                () ->
                                        RPC.getProxy(
                                                NextProtocol.class,
                                                NextProtocol.versionID,
                                                address,
                                                conf));
        try {
            assertThatThrownBy(() -> task.awaitOrder(attempt(0), 0))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("version");
        } finally {
            RPC.stopProxy(task);
        }
        assertThat(orders.asks(attempt(0))).isFalse();
    }

    @Test
    void tasksAreLetInWhereServicesAreAuthorized() throws Exception {
        Configuration authorized = new Configuration();
        authorized.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
        CloneService guarded = new CloneService("localhost", orders, listener);
        guarded.init(authorized);
        guarded.start();
        try {
            guarded.accept(JOB, token);
            assertThat(client(guarded, JOB, token).mayFreeze(attempt(0), 1, 0))
                    .isEqualTo(FreezeLeave.GRANTED);
        } finally {
            guarded.stop();
        }
    }
}
