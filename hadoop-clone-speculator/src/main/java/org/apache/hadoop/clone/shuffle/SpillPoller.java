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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the AppMaster for news of spills, and again as soon as it has answered. A reduce that has
 * fetched what is void now has itself killed: if it failed, four such maps would fail its job.
 */
@InterfaceAudience.Private
public final class SpillPoller {
    private static final Logger LOG = LoggerFactory.getLogger(SpillPoller.class);
    private static final long RETRY_MILLIS = TimeUnit.SECONDS.toMillis(5);
    private static final int TRIES = 10;

    /** For so long an attempt waits for the kill that it has asked for. */
    static final long KILL_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(5);

    /** A task's JVM runs one reduce; whoever clones it has no other way to its poller. */
    private static volatile SpillPoller running;

    private static volatile Runnable beforeQuestion = () -> {};

    private final SpillProtocol appMaster;
    private final TaskAttemptID reduce;
    private final SpillScheduler<?, ?> scheduler;
    private final ExceptionReporter reporter;
    private final long retryMillis;
    private final Thread thread = new UserThread(SpillShuffle.THREAD, this::work);
    private int seen;
    private OptionalInt voidMap = OptionalInt.empty();
    private volatile boolean ended;

    SpillPoller(
            SpillProtocol appMaster,
            TaskAttemptID reduce,
            SpillScheduler<?, ?> scheduler,
            ExceptionReporter reporter) {
        this(appMaster, reduce, scheduler, reporter, RETRY_MILLIS);
    }

    /**
     * @param retryMillis between two calls of which the first has failed
     */
    SpillPoller(
            SpillProtocol appMaster,
            TaskAttemptID reduce,
            SpillScheduler<?, ?> scheduler,
            ExceptionReporter reporter,
            long retryMillis) {
        this.appMaster = appMaster;
        this.reduce = reduce;
        this.scheduler = scheduler;
        this.reporter = reporter;
        this.retryMillis = retryMillis;
    }

    /** Has the poller run something before each question, which may take its time. */
    public static void beforeQuestions(Runnable hook) {
        beforeQuestion = hook;
    }

    /** The AppMaster may leave it open for long; it is asked anew. Nothing if there is none. */
    public static void endQuestion() {
        SpillPoller poller = running;
        if (poller != null) {
            poller.thread.interrupt();
        }
    }

    void start() {
        thread.start();
    }

    private void work() {
        running = this;
        try {
            while (!ended) {
                askOnce();
            }
        } catch (IOException | RuntimeException e) {
            reporter.reportException(e);
        } finally {
            running = null;
        }
    }

    private void askOnce() throws IOException {
        try {
            if (voidMap.isPresent()) {
                startAgain(voidMap.getAsInt());
            }
            apply(ask());
        } catch (InterruptedException e) {
            LOG.debug("A question was ended", e);
        }
    }

    private void apply(List<SpillUpdate> updates) {
        for (SpillUpdate update : updates) {
            if (!scheduler.apply(update)) {
                voidMap = OptionalInt.of(update.map());
                return;
            }
            seen++;
        }
    }

    private List<SpillUpdate> ask() throws IOException, InterruptedException {
        return insist(
                "The AppMaster doesn't say where spills are",
                () -> {
                    beforeQuestion.run();
                    return appMaster.spillUpdates(reduce, seen).list();
                });
    }

    private interface Call<T> {
        T once() throws IOException;
    }

    /**
     * @param refusal what to say if it fails again and again
     */
    private <T> T insist(String refusal, Call<T> call) throws IOException, InterruptedException {
        for (int left = TRIES - 1; ; left--) {
            try {
                return call.once();
            } catch (IOException e) {
                passOnAnEnd();
                if (left == 0) {
                    throw new IOException(refusal, e);
                }
                LOG.info("The AppMaster is asked again: {}", e.toString());
                Thread.sleep(retryMillis);
            }
        }
    }

    private static void passOnAnEnd() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("the question was ended");
        }
    }

    private void startAgain(int map) throws IOException, InterruptedException {
        LOG.warn("Map {} isn't deterministic, and what was fetched of it is void", map);
        insist(
                "What was fetched of map " + map + " is void, and the AppMaster can't be told",
                () -> {
                    appMaster.startAgain(reduce);
                    return null;
                });
        Thread.sleep(KILL_MILLIS);
        throw new IOException("What was fetched of map " + map + " is void, and nobody kills this");
    }

    void shutDown() throws InterruptedException {
        ended = true;
        thread.interrupt();
        thread.join(JOIN_MILLIS);
    }
}
