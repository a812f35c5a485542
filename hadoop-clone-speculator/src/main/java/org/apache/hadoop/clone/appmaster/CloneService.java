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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
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

    private static final long FORGET_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private final String host;
    private final Orders orders;
    private final CloneListener listener;
    private final TaskServer server =
            new TaskServer(CloneProtocol.class, "security.job.clone.protocol.acl");
    private final ScheduledExecutorService sweeper =
            HadoopExecutors.newSingleThreadScheduledExecutor();

    /** What the coordinator is told, and asked. */
    interface CloneListener {
        void answered(TaskAttemptID attempt, CloneAnswer answer);

        FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli);

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
        server.startIfPossible(getConfig(), host, this, HANDLERS);
        sweeper.scheduleWithFixedDelay(
                Harmless.lasting(this::sweep),
                TaskServer.SWEEP_MILLIS,
                TaskServer.SWEEP_MILLIS,
                TimeUnit.MILLISECONDS);
        super.serviceStart();
    }

    private void sweep() {
        long now = Time.monotonicNow();
        orders.expire(now - TaskServer.PARK_MILLIS, now - FORGET_MILLIS);
    }

    @Override
    protected void serviceStop() throws Exception {
        sweeper.shutdownNow();
        server.stop();
        super.serviceStop();
    }

    /** {@code host:port}; null if tasks can't reach it. */
    String address() {
        return server.address();
    }

    /** From now on the job's tasks can call. */
    void accept(String jobId, Token<JobTokenIdentifier> token) {
        server.accept(jobId, token);
    }

    @Override
    public CloneOrder awaitOrder(TaskAttemptID attempt, long seen) throws IOException {
        server.requireToken();
        Consumer<CloneOrder> answer = TaskServer.defer(CloneOrder.class);
        orders.ask(attempt, seen, Time.monotonicNow(), answer::accept).ifPresent(answer);
        return null;
    }

    @Override
    public void answer(TaskAttemptID attempt, CloneAnswer answer) throws IOException {
        server.requireToken();
        listener.answered(attempt, answer);
    }

    @Override
    public FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli)
            throws IOException {
        server.requireToken();
        return listener.mayFreeze(original, clone, linkBytesPerMilli);
    }

    @Override
    public CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
            throws IOException {
        server.requireToken();
        return listener.becomeClone(original, clone, containerId);
    }

    @Override
    public void cloneRunning(TaskAttemptID attempt, long clone) throws IOException {
        server.requireToken();
        listener.cloneRunning(attempt, clone);
    }
}
