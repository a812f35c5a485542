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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.clone.metrics.CounterRoom;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our counters from being too many for a job. In one that has few of its own they are there
 * at once. In any other they wait until all tasks have ended, when all others are known; those for
 * which there is no room then are left out. For the dispatcher's thread alone.
 */
@SuppressWarnings("rawtypes") // as the dispatcher
final class SpareCounters {
    private static final Logger LOG = LoggerFactory.getLogger(SpareCounters.class);

    /** Tasks of a kind, of which each is likely to have all its kind's counters. */
    private static final int FEW = 32;

    private static final Set<TaskState> HAVE_RUN =
            EnumSet.of(TaskState.RUNNING, TaskState.SUCCEEDED);

    private final EventHandler<Event> stock;
    private final Set<CloneCounter> added = EnumSet.noneOf(CloneCounter.class);
    private final List<CloneCounterEvent> waiting = new ArrayList<>();
    private final Map<CloneCounter, Long> left = new EnumMap<>(CloneCounter.class);

    private boolean over;

    /** What the job has since its tasks ended, with ours; null as long as nobody asks. */
    private Optional<Counters> all;

    /**
     * @param stock handles events for jobs
     */
    SpareCounters(EventHandler<Event> stock) {
        this.stock = stock;
    }

    /**
     * @param job whose event it is
     */
    void handle(JobEvent event, Job job) {
        if (event instanceof CloneCounterEvent update) {
            count(update, job);
            return;
        }
        stock.handle(event);
        if (!over && event.getType() == JobEventType.JOB_TASK_COMPLETED && haveAllEnded(job)) {
            over = true;
            waiting.forEach(update -> count(update, job));
            if (!left.isEmpty()) {
                LOG.info("The job may have no more counters, and so lacks these: {}", left);
            }
        }
    }

    private static boolean haveAllEnded(Job job) {
        return job.getCompletedMaps() + job.getCompletedReduces()
                == job.getTotalMaps() + job.getTotalReduces();
    }

    private void count(CloneCounterEvent update, Job job) {
        if (added.contains(update.counter) || mayBeAdded(update.counter, job)) {
            added.add(update.counter);
            stock.handle(update);
        } else if (!over) {
            waiting.add(update);
        } else {
            left.merge(update.counter, update.increment, Long::sum);
        }
    }

    private boolean mayBeAdded(CloneCounter counter, Job job) {
        if (!over) {
            return waiting.isEmpty() && namesSoFar(job).filter(CounterRoom::isAmple).isPresent();
        }
        if (all == null) {
            all = copied(Stream.of(job).map(Job::getAllCounters));
        }
        return all.filter(counters -> CounterRoom.add(counters, counter)).isPresent();
    }

    /**
     * What counters a job's tasks have, as far as a few of each kind tell. All of a large job's
     * would keep the dispatcher busy for a good part of a second, for each of ours.
     */
    private static Optional<Counters> namesSoFar(Job job) {
        return copied(
                Stream.of(TaskType.values())
                        .flatMap(type -> few(job, type))
                        .map(Task::getCounters));
    }

    private static Stream<Task> few(Job job, TaskType type) {
        return job.getTasks().values().stream()
                .filter(task -> task.getType() == type && HAVE_RUN.contains(task.getState()))
                .limit(FEW);
    }

    /** All of these in one; empty of a job that has too many without ours. */
    private static Optional<Counters> copied(Stream<Counters> some) {
        try {
            Counters copy = new Counters();
            some.forEach(copy::incrAllCounters);
            return Optional.of(copy);
        } catch (LimitExceededException e) {
            return Optional.empty();
        }
    }
}
