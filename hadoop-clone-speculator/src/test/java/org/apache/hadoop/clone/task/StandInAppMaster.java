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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.NextProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;

/**
 * Both RPC servers of an AppMaster for one map, real ones; behind them a test decides, and looks at
 * what the task has said.
 */
final class StandInAppMaster implements CloneProtocol, AutoCloseable {
    /** Of a clone that isn't to fail for lack of time. */
    static final CloneLimits PATIENT = new CloneLimits(60_000, 60_000);

    private static final long POLL_MILLIS = 500;
    private static final long LONG_SECONDS = 60;

    final List<TaskAttemptID> done = new CopyOnWriteArrayList<>();
    final List<String> errors = new CopyOnWriteArrayList<>();
    final ConcurrentHashMap<TaskAttemptID, AtomicLong> updates = new ConcurrentHashMap<>();
    final BlockingQueue<CloneAnswer> answers = new LinkedBlockingQueue<>();
    final List<String> becoming = new CopyOnWriteArrayList<>();
    final List<TaskAttemptID> running = new CopyOnWriteArrayList<>();

    /** Maps that can be fetched, as far as each reduce knows. */
    volatile Function<TaskAttemptID, List<TaskCompletionEvent>> completions = reduce -> List.of();

    /** Maps that a reduce couldn't fetch. */
    final List<TaskAttemptID> fetchFailures = new CopyOnWriteArrayList<>();

    /** What becomeClone answers; null is "nobody is expected there". */
    volatile CloneIdentity expected;

    volatile FreezeLeave leave = FreezeLeave.GRANTED;

    /** What an original that wants to be frozen has said of its link last, in bytes/ms. */
    volatile long link;

    final HeldCalls statusUpdates = new HeldCalls();

    /** Of tasks that are ready to commit. */
    final HeldCalls commits = new HeldCalls();

    private final BlockingQueue<CloneOrder> orders = new LinkedBlockingQueue<>();
    private final ConcurrentHashMap<TaskAttemptID, CloneOrder> ordersOfOne =
            new ConcurrentHashMap<>();
    private final String host;
    private final JobTokenSecretManager secrets = new JobTokenSecretManager();
    private final Token<JobTokenIdentifier> token;
    private final RPC.Server umbilical;
    private final RPC.Server clones;

    StandInAppMaster(Task task) throws IOException {
        this(task, "127.0.0.1");
    }

    /**
     * @param host address of this machine at which it listens
     */
    StandInAppMaster(Task task, String host) throws IOException {
        this(task, host, true);
    }

    /** One whose jar is another version than the task's. */
    static StandInAppMaster ofAnotherVersion(Task task) throws IOException {
        return new StandInAppMaster(task, "127.0.0.1", false);
    }

    private StandInAppMaster(Task task, String host, boolean sameVersion) throws IOException {
        this.host = host;
        String job = task.getTaskID().getJobID().toString();
        token = new Token<>(new JobTokenIdentifier(new Text(job)), secrets);
        secrets.addTokenForJob(job, token);
        umbilical = server(TaskUmbilicalProtocol.class, StandInUmbilical.of(this, task));
        clones =
                sameVersion
                        ? server(CloneProtocol.class, this)
                        : server(NextProtocol.class, NextProtocol.speaker());
    }

    private RPC.Server server(Class<?> protocol, Object instance) throws IOException {
        RPC.Server server =
                new RPC.Builder(new Configuration(false))
                        .setProtocol(protocol)
                        .setInstance(instance)
                        .setBindAddress(host)
                        .setPort(0)
                        .setNumHandlers(3)
                        .setSecretManager(secrets)
                        .build();
        server.start();
        return server;
    }

    Token<JobTokenIdentifier> token() {
        return token;
    }

    InetSocketAddress umbilical() {
        return umbilical.getListenerAddress();
    }

    String address() {
        return host + ":" + clones.getListenerAddress().getPort();
    }

    /** For whichever attempt asks first. */
    void order(CloneOrder order) {
        orders.add(order);
    }

    /** For this one: the last question of another that has just ended may still wait. */
    void order(TaskAttemptID attempt, CloneOrder order) {
        ordersOfOne.put(attempt, order);
    }

    CloneAnswer answer() throws InterruptedException {
        CloneAnswer answer = answers.poll(LONG_SECONDS, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("the task didn't answer; it said " + errors);
        }
        return answer;
    }

    /** The next answer must be one of that kind; its reason says why it isn't. */
    CloneAnswer answer(CloneAnswer.Kind kind) throws Exception {
        return answer(kind, () -> "");
    }

    /**
     * @param log what else says why it isn't
     */
    CloneAnswer answer(CloneAnswer.Kind kind, Callable<String> log) throws Exception {
        CloneAnswer answer = answer();
        assertThat(answer.kind()).as(answer + log.call()).isEqualTo(kind);
        return answer;
    }

    /** How often an attempt has told its status. */
    long updatesOf(TaskAttemptID attempt) {
        return updates.getOrDefault(attempt, new AtomicLong()).get();
    }

    @Override
    public CloneOrder awaitOrder(TaskAttemptID attempt, long seen) throws IOException {
        try {
            CloneOrder own = ordersOfOne.remove(attempt);
            CloneOrder order = own == null ? orders.poll(POLL_MILLIS, TimeUnit.MILLISECONDS) : own;
            return order == null ? CloneOrder.none() : order;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void answer(TaskAttemptID attempt, CloneAnswer answer) {
        answers.add(answer);
    }

    @Override
    public FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli) {
        link = linkBytesPerMilli;
        return leave;
    }

    @Override
    public CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
            throws IOException {
        becoming.add(original + " in " + containerId);
        if (expected == null) {
            throw new IOException("nobody is expected there");
        }
        return expected;
    }

    @Override
    public void cloneRunning(TaskAttemptID attempt, long clone) {
        running.add(attempt);
    }

    @Override
    public void close() {
        umbilical.stop();
        clones.stop();
    }
}
