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

import java.io.IOException;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.AppMasterClient;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.shuffle.UserThread;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the AppMaster for orders while the task runs, and carries them out one after the other. */
final class OrderLoop implements Runnable {
    /** Name of its thread. */
    static final String THREAD = "clone-orders";

    private static final Logger LOG = LoggerFactory.getLogger(OrderLoop.class);
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final RunningTask task;
    private final AppMasterClient client;
    private CloneProtocol appMaster;
    private String host = System.getenv(Environment.NM_HOST.name());

    private OrderLoop(String address, RunningTask task) throws IOException {
        this.task = task;
        client = new AppMasterClient(address, task.attempt().getJobID());
    }

    /** Never throws: a task that can't be cloned is a task still. */
    static void start(String address, RunningTask task) {
        try {
            daemon(new OrderLoop(address, task)).start();
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("{} can't be cloned: {}", task.attempt(), e.toString());
        }
    }

    /**
     * A thread of ours, for the task's user. What ends it ends nothing else: YarnChild's own
     * handler would end the process for an Error.
     */
    static Thread daemon(Runnable work) {
        Thread thread = new UserThread(THREAD, work);
        thread.setUncaughtExceptionHandler(
                (of, e) -> LOG.error("This task can't be cloned any more", e));
        return thread;
    }

    @Override
    public void run() {
        try {
            connect();
            long seen = 0;
            while (true) {
                CloneOrder order = nextOrder(seen);
                if (order.kind() != CloneOrder.Kind.NONE) {
                    seen = order.serial();
                    LOG.info("Order: {}", order);
                    obey(order);
                }
            }
        } catch (RemoteException e) {
            LOG.info("No more orders for {}: {}", task.attempt(), e.getMessage());
        } catch (IOException e) {
            LOG.info(
                    "No more orders for {}: the AppMaster is gone: {}",
                    task.attempt(),
                    e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks again, once, if the connection broke. */
    private CloneOrder nextOrder(long seen) throws IOException, InterruptedException {
        try {
            return appMaster.awaitOrder(task.attempt(), seen);
        } catch (RemoteException e) {
            throw e;
        } catch (IOException e) {
            Thread.sleep(PATIENCE_MILLIS);
            return appMaster.awaitOrder(task.attempt(), seen);
        }
    }

    private void obey(CloneOrder order) throws IOException, InterruptedException {
        switch (order.kind()) {
            case PREPARE -> appMaster.answer(task.attempt(), prepare(order));
            case OFFER -> offer(order);
            default -> LOG.debug("Nothing to do for {}", order);
        }
    }

    private CloneAnswer prepare(CloneOrder order) {
        try {
            long waitedBefore = task.waitedMillis();
            Optional<String> reading = LocalReads.obstacle();
            Optional<String> obstacle = reading.isPresent() ? reading : task.obstacle();
            return obstacle.isPresent()
                    ? CloneAnswer.refused(order.cloneId(), obstacle.get())
                    : CloneAnswer.able(order.cloneId(), task.fileBytes(), HeapPages.memoryBytes())
                            .havingWaited(task.waitedMillis() - waitedBefore);
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("Can't tell whether {} can be cloned", task.attempt(), e);
            return CloneAnswer.refused(order.cloneId(), e.toString());
        }
    }

    private void offer(CloneOrder order) throws IOException, InterruptedException {
        CloneAnswer answer;
        try {
            answer = new CloneMaking(this, task, order).run(client.password());
        } catch (IOException | UnmodifiableClassException | RuntimeException | Error e) {
            LOG.warn("No clone of {}", task.attempt(), e);
            answer = CloneAnswer.failed(order.cloneId(), e.toString());
        }
        if (answer != null) {
            appMaster.answer(task.attempt(), answer);
        }
    }

    /** The node that this process runs on, as YARN knows it. */
    String host() {
        return host;
    }

    /** A clone's environment is its original's. */
    void movedTo(String clonesHost) {
        host = clonesHost;
    }

    CloneProtocol appMaster() {
        return appMaster;
    }

    /** A new proxy. In a clone, after the switch, with the connections of this process only. */
    void connect() throws IOException {
        appMaster = client.connect(CloneProtocol.class, CloneProtocol.versionID, task.job());
    }
}
