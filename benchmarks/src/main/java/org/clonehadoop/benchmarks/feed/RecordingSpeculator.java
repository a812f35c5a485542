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
package org.clonehadoop.benchmarks.feed;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.clone.speculate.SpeculatorDoor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.event.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link CloneSpeculator} that is told nothing but what is written down. Between it and the
 * AppMaster is a mirror of the job, which is brought up to date before each event and each look; so
 * whoever plays the feed sees to the last bit what it has seen.
 */
public final class RecordingSpeculator extends AbstractService
        implements Speculator, FeedPlayer.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RecordingSpeculator.class);

    /** Of keys that speculators, their estimators and clones' costs are configured by. */
    private static final String READ =
            "mapreduce\\.clone\\.(?!tool).*|mapreduce\\.job\\.speculative\\..*|mapreduce\\..*\\.speculative"
                    + "|yarn\\.app\\.mapreduce\\.am\\.job\\.task\\.estimator\\..*"
                    + "|mapreduce\\.task\\.(progress-report\\.interval|timeout)";

    private final AppContext context;
    private final Cloner cloner;
    private final PinnedClock clock;
    private final CloneSpeculator speculator;
    private final FeedWriter feed;
    private final FeedPlayer player;
    private final Observer observer;
    private Thread looker;

    /**
     * @param context the AppMaster's
     * @param cloner the AppMaster's
     * @param stream where the feed goes
     */
    public RecordingSpeculator(
            Configuration conf, AppContext context, Cloner cloner, OutputStream stream)
            throws IOException {
        super(RecordingSpeculator.class.getSimpleName());
        this.context = context;
        this.cloner = cloner;
        clock = new PinnedClock(context.getClock());
        MirrorContext mirror = new MirrorContext(clock, this::ordered);
        MirrorCloner mirrorCloner = new MirrorCloner(cloner.costs(), this::ordered);
        speculator = new CloneSpeculator(conf, mirror, mirrorCloner);
        player =
                new FeedPlayer(
                        mirror,
                        mirrorCloner,
                        new FeedPlayer.Listener() {
                            @Override
                            public void handle(SpeculatorEvent event) {
                                speculator.handle(event);
                            }

                            @Override
                            public void look() {
                                SpeculatorDoor.look(speculator);
                            }
                        });
        observer = new Observer(mirror, mirrorCloner, cloner, this::tell);
        feed = new FeedWriter(stream);
        feed.write(new FeedLine.Begin(clock.getTime(), FeedLine.VERSION, keys(conf)));
    }

    private static Map<String, String> keys(Configuration conf) {
        Map<String, String> keys = new TreeMap<>();
        conf.getValByRegex("^(" + READ + ")$").forEach(keys::put);
        return keys;
    }

    /** The one that decides. */
    CloneSpeculator speculator() {
        return speculator;
    }

    private void tell(FeedLine line) {
        feed.write(line);
        player.play(line);
    }

    // --- what the AppMaster tells ---

    @Override
    public void handle(SpeculatorEvent event) {
        atOneMoment(now -> handle(event, now));
    }

    @Override
    public void handleAttempt(TaskAttemptStatus status) {
        atOneMoment(now -> report(status, now, now));
    }

    private void handle(SpeculatorEvent event, long now) {
        switch (event.getType()) {
            case JOB_CREATE -> {
                observer.observe(context.getJob(event.getJobID()), now);
                tell(new FeedLine.Created(now, event.getTimestamp()));
            }
            case TASK_CONTAINER_NEED_UPDATE -> {
                observer.observeSums(context.getJob(event.getTaskID().getJobId()), now);
                tell(
                        new FeedLine.Needs(
                                now, Names.of(event.getTaskID()), event.containersNeededChange()));
            }
            case ATTEMPT_START -> {
                TaskAttemptId attempt = event.getReportedStatus().id;
                observer.observe(jobOf(attempt), attempt, now);
                tell(new FeedLine.Started(now, Names.of(attempt), event.getTimestamp()));
            }
            case ATTEMPT_STATUS_UPDATE ->
                    report(event.getReportedStatus(), event.getTimestamp(), now);
        }
    }

    private void report(TaskAttemptStatus status, long timestamp, long now) {
        observer.observe(jobOf(status.id), status.id, now);
        tell(
                new FeedLine.Reported(
                        now,
                        Names.of(status.id),
                        timestamp,
                        status.progress,
                        status.phase,
                        status.taskState));
    }

    private Job jobOf(TaskAttemptId attempt) {
        return context.getJob(attempt.getTaskId().getJobId());
    }

    /** At which nothing else is told or decided. */
    private synchronized void atOneMoment(LongConsumer what) {
        long now = context.getClock().getTime();
        clock.pin(now);
        try {
            what.accept(now);
        } finally {
            clock.release();
        }
    }

    // --- looks ---

    @Override
    protected void serviceInit(Configuration conf) throws Exception {
        speculator.init(conf);
        super.serviceInit(conf);
    }

    @Override
    protected void serviceStart() throws Exception {
        long everyMillis =
                getConfig()
                        .getLong(
                                MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                                MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE);
        looker = new Thread(() -> lookForever(everyMillis), "RecordingSpeculator");
        looker.setDaemon(true);
        looker.start();
        super.serviceStart();
    }

    private void lookForever(long everyMillis) {
        try {
            while (!isInState(STATE.STOPPED)) {
                Thread.sleep(everyMillis);
                lookOrComplain();
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    // As the speculator's own thread: one failed look isn't the last.
    private void lookOrComplain() {
        try {
            look();
        } catch (RuntimeException failure) {
            LOG.error("Looking for stragglers failed; the next look comes as usual", failure);
        }
    }

    @Override
    public void look() {
        atOneMoment(this::look);
    }

    private void look(long now) {
        for (Job job : context.getAllJobs().values()) {
            observer.observe(job, now);
        }
        tell(new FeedLine.Look(now));
    }

    @Override
    protected void serviceStop() throws Exception {
        if (looker != null) {
            looker.interrupt();
            looker.join();
        }
        synchronized (this) {
            feed.close();
        }
        super.serviceStop();
    }

    // --- what it orders ---

    private void ordered(
            TaskAttemptId original, Optional<TaskAttemptId> inPlaceOf, CloneScore score) {
        feed.write(FeedLine.Ordered.clone(clock.getTime(), Names.of(original)));
        inPlaceOf.ifPresentOrElse(
                second -> cloner.cloneInPlaceOf(second, original, score),
                () -> cloner.clone(original, score));
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // as Hadoop's handlers
    private void ordered(Event event) {
        if (event instanceof TaskEvent order) {
            feed.write(FeedLine.Ordered.again(clock.getTime(), Names.of(order.getTaskID())));
        } else if (event instanceof SecondAttemptKill kill) {
            TaskId task = kill.getTaskAttemptID().getTaskId();
            feed.write(FeedLine.Ordered.again(clock.getTime(), Names.of(task)));
        }
        context.getEventHandler().handle(event);
    }
}
