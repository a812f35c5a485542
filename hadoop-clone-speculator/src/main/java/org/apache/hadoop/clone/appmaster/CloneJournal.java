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

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;

/** What people are told of a job's clones: its counters, and its attempts' diagnostics. */
final class CloneJournal {
    private final AppContext context;
    private final Map<CloneCounter, Long> counted = new EnumMap<>(CloneCounter.class);

    /**
     * @param context of an AppMaster with one job, as all have
     */
    CloneJournal(AppContext context) {
        this.context = context;
    }

    void count(CloneCounter counter, long increment) {
        synchronized (counted) {
            counted.merge(counter, increment, Long::sum);
        }
        context.getEventHandler().handle(new CloneCounterEvent(job(), counter, increment));
    }

    /** All that this journal has counted, by name. */
    Map<String, Long> counted() {
        Map<String, Long> copy = new TreeMap<>();
        synchronized (counted) {
            counted.forEach((counter, value) -> copy.put(counter.name(), value));
        }
        return copy;
    }

    private JobId job() {
        return context.getAllJobs().keySet().iterator().next();
    }

    /** What a clone has cost its original. */
    void sent(CloneAnswer sent) {
        count(CloneCounter.CLONES_SENT, 1);
        count(CloneCounter.FROZEN_MILLIS, sent.frozenMillis());
        count(CloneCounter.GATE_CLOSED_MILLIS, sent.gateMillis());
    }

    /** How much a clone that has come to run was, and how long it travelled. */
    void travelled(CloneTravel travel) {
        count(CloneCounter.TRAVEL_BYTES, travel.bytes());
        count(CloneCounter.TRAVEL_MILLIS, travel.millis());
    }

    /** For the whole job. */
    void diagnose(String text) {
        context.getEventHandler().handle(new JobDiagnosticsUpdateEvent(job(), text));
    }

    void diagnose(TaskAttemptId attempt, String text) {
        context.getEventHandler().handle(new TaskAttemptDiagnosticsUpdateEvent(attempt, text));
    }
}
