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
import org.apache.hadoop.clone.metrics.CounterRoom;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
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

    private final EventHandler<Event> stock;
    private final Set<CloneCounter> added = EnumSet.noneOf(CloneCounter.class);
    private final List<CloneCounterEvent> waiting = new ArrayList<>();
    private final Map<CloneCounter, Long> left = new EnumMap<>(CloneCounter.class);

    private boolean over;

    /** What the job had when its tasks had ended, and ours that were added since. */
    private Optional<Counters> all = Optional.empty();

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
            all = countersOf(job);
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
        return over
                ? all.filter(counters -> CounterRoom.has(counters, counter)).isPresent()
                : waiting.isEmpty() && countersOf(job).filter(CounterRoom::isAmple).isPresent();
    }

    /** A copy; empty of a job that has too many without ours, and fails as with stock. */
    private static Optional<Counters> countersOf(Job job) {
        try {
            Counters copy = new Counters();
            copy.incrAllCounters(job.getAllCounters());
            return Optional.of(copy);
        } catch (LimitExceededException e) {
            return Optional.empty();
        }
    }
}
