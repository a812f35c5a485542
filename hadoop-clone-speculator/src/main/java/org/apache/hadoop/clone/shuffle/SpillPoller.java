package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.util.concurrent.SubjectInheritingThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the AppMaster for news of spills, and again as soon as it has answered. A reduce that has
 * fetched what is void now has itself killed: if it failed, four such maps would fail its job.
 */
final class SpillPoller extends SubjectInheritingThread {
    private static final Logger LOG = LoggerFactory.getLogger(SpillPoller.class);
    private static final long RETRY_MILLIS = TimeUnit.SECONDS.toMillis(5);
    private static final int TRIES = 10;
    private static final long KILL_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final SpillProtocol appMaster;
    private final TaskAttemptID reduce;
    private final SpillScheduler<?, ?> scheduler;
    private final ExceptionReporter reporter;
    private int seen;

    SpillPoller(
            SpillProtocol appMaster,
            TaskAttemptID reduce,
            SpillScheduler<?, ?> scheduler,
            ExceptionReporter reporter) {
        super(SpillShuffle.THREAD);
        setDaemon(true);
        this.appMaster = appMaster;
        this.reduce = reduce;
        this.scheduler = scheduler;
        this.reporter = reporter;
    }

    @Override
    public void work() {
        try {
            while (true) {
                List<SpillUpdate> updates = ask();
                for (SpillUpdate update : updates) {
                    if (!scheduler.apply(update)) {
                        startAgain(update.map());
                    }
                }
                seen += updates.size();
            }
        } catch (InterruptedException e) {
            interrupt();
        } catch (IOException | RuntimeException e) {
            reporter.reportException(e);
        }
    }

    private List<SpillUpdate> ask() throws IOException, InterruptedException {
        for (int left = TRIES - 1; ; left--) {
            try {
                return appMaster.spillUpdates(reduce, seen).list();
            } catch (IOException e) {
                if (isInterrupted()) {
                    throw new InterruptedException("the shuffle has ended");
                }
                if (left == 0) {
                    throw new IOException("The AppMaster doesn't say where spills are", e);
                }
                LOG.info("No news of spills: {}", e.toString());
                sleep(RETRY_MILLIS);
            }
        }
    }

    private void startAgain(int map) throws IOException, InterruptedException {
        LOG.warn("Map {} isn't deterministic, and what was fetched of it is void", map);
        appMaster.startAgain(reduce);
        sleep(KILL_MILLIS);
        throw new IOException("What was fetched of map " + map + " is void, and nobody kills this");
    }

    void shutDown() throws InterruptedException {
        interrupt();
        join(JOIN_MILLIS);
    }
}
