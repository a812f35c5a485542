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

import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;

/**
 * Plays a feed to a speculator: lines on what is change the mirror, and lines on what happens reach
 * the speculator. The recorder plays what it writes, so that both see the same.
 */
public final class FeedPlayer {
    /** A speculator without its threads. */
    public interface Listener {
        void handle(SpeculatorEvent event);

        void look();
    }

    private final MirrorContext context;
    private final MirrorCloner cloner;
    private final Listener listener;

    public FeedPlayer(MirrorContext context, MirrorCloner cloner, Listener listener) {
        this.context = context;
        this.cloner = cloner;
        this.listener = listener;
    }

    /**
     * The mirror's clock must be at the line's time.
     *
     * @throws IllegalArgumentException if it tells of a job or task that isn't there
     */
    public void play(FeedLine line) {
        if (line instanceof FeedLine.JobIs job) {
            change(job);
        } else if (line instanceof FeedLine.TaskIs task) {
            task(task.task()).setState(task.state());
        } else if (line instanceof FeedLine.AttemptIs attempt) {
            change(attempt);
        } else if (line instanceof FeedLine.CloningIs cloning) {
            change(cloning);
        } else if (line instanceof FeedLine.CostsAre costs) {
            cloner.setCosts(costs.costs());
        } else if (line instanceof FeedLine.Created created) {
            listener.handle(new SpeculatorEvent(job(), created.at()));
        } else if (line instanceof FeedLine.Needs needs) {
            listener.handle(new SpeculatorEvent(task(needs.task()).getID(), needs.change()));
        } else if (line instanceof FeedLine.Started started) {
            listener.handle(new SpeculatorEvent(attemptId(started.attempt()), true, started.at()));
        } else if (line instanceof FeedLine.Reported report) {
            listener.handle(new SpeculatorEvent(status(report), report.at()));
        } else if (line instanceof FeedLine.Look) {
            listener.look();
        }
    }

    private void change(FeedLine.JobIs line) {
        if (line.job() != null) {
            context.setJob(new MirrorJob(Names.job(line.job()), line.maps(), line.reduces()));
        }
        if (line.completedMaps() != null) {
            context.job().setCompletedMaps(line.completedMaps());
        }
        if (line.completedReduces() != null) {
            context.job().setCompletedReduces(line.completedReduces());
        }
    }

    private void change(FeedLine.AttemptIs line) {
        MirrorAttempt attempt = attempt(line.attempt());
        if (line.host() != null) {
            attempt.setHost(line.host());
        }
        if (line.progress() != null) {
            attempt.setProgress(line.progress());
        }
        if (line.phase() != null) {
            attempt.setPhase(line.phase());
        }
        if (line.launched() != null) {
            attempt.setLaunchTime(line.launched());
        }
        if (line.finished() != null) {
            attempt.setFinishTime(line.finished());
        }
        if (line.counters() != null) {
            line.counters().forEach((counter, value) -> counter.set(attempt.getCounters(), value));
        }
        if (line.state() != null) {
            attempt.setState(line.state());
        }
    }

    private void change(FeedLine.CloningIs line) {
        Optional<TaskAttemptId> original =
                line.original() == null
                        ? null
                        : Optional.of(line.original())
                                .filter(name -> !name.isEmpty())
                                .map(this::attemptId);
        cloner.change(
                attemptId(line.attempt()),
                line.obstacle(),
                line.underWay(),
                line.fileBytes(),
                original,
                line.leastMillis());
    }

    private TaskAttemptStatus status(FeedLine.Reported report) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attemptId(report.attempt());
        status.progress = report.progress();
        status.phase = report.phase();
        status.taskState = report.state();
        status.counters = attempt(report.attempt()).getCounters();
        return status;
    }

    private JobId job() {
        if (context.job() == null) {
            throw new IllegalArgumentException("the feed tells of tasks before it tells of a job");
        }
        return context.job().getID();
    }

    private MirrorTask task(String name) {
        MirrorTask task = context.job() == null ? null : context.job().getTask(taskId(name));
        if (task == null) {
            throw new IllegalArgumentException("the feed's job has no task " + name);
        }
        return task;
    }

    private TaskId taskId(String name) {
        return Names.task(job(), name);
    }

    private TaskAttemptId attemptId(String name) {
        return Names.attempt(job(), name);
    }

    private MirrorAttempt attempt(String name) {
        TaskAttemptId id = attemptId(name);
        return task(Names.of(id.getTaskId())).attempt(id);
    }
}
