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
package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;

/** A task that has begun, with what events have told of it since it was looked at. Thread-safe. */
final class StartedTask {
    private final Task task;
    private volatile int neededContainers;

    // Changed under the lock. A look that found it out while something else happened has seen
    // neither before nor after.
    private volatile UnderWay known;
    private int events;

    StartedTask(Task task) {
        this.task = task;
    }

    Task task() {
        return task;
    }

    /** Containers that it has asked for and not been given. */
    int neededContainers() {
        return neededContainers;
    }

    /** It asks for containers, or is given one: it may have another attempt. */
    void needs(int containers) {
        neededContainers = containers;
        changed();
    }

    /** What runs of it; null if it is to be asked. */
    UnderWay known() {
        return known;
    }

    /** Something happens to it: it is to be looked at. */
    synchronized void changed() {
        known = null;
        events++;
    }

    /** An attempt of it runs and has reported. */
    synchronized void reported(TaskAttemptStatus status, long now) {
        if (known instanceof OnlyAttempt only && only.id().equals(status.id)) {
            known = only.reported(status.phase, now);
        } else if (known instanceof TwoAttempts two && two.has(status.id)) {
            known = two.with(Slack.NONE);
            events++;
        } else {
            changed();
        }
    }

    /** What has happened to it so far; to be asked before a look. */
    synchronized int events() {
        return events;
    }

    /**
     * A look has found what runs of it.
     *
     * @param underWay null if it is to be asked again
     * @param eventsBefore {@link #events} before that look
     */
    synchronized void found(UnderWay underWay, int eventsBefore) {
        known = events == eventsBefore ? underWay : null;
    }

    /** A look has found out more of it, unless it has reported meanwhile. */
    synchronized void learned(UnderWay before, UnderWay after) {
        if (known == before) {
            known = after;
        }
    }

    /** What it has done counts otherwise from now on. */
    synchronized void recounted() {
        if (known instanceof OnlyAttempt only) {
            known = only.with(Slack.NONE);
        } else if (known instanceof TwoAttempts two) {
            known = two.with(Slack.NONE);
        }
    }
}
