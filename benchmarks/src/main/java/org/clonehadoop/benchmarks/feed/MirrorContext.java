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

import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/** An AppMaster as those who decide see it: a clock, one job, and somebody who takes orders. */
@SuppressWarnings("rawtypes") // as what it stands in for
public final class MirrorContext extends UnaskedContext {
    private final Clock clock;
    private final EventHandler<Event> handler;
    private volatile MirrorJob job;

    public MirrorContext(Clock clock, EventHandler<Event> handler) {
        this.clock = clock;
        this.handler = handler;
    }

    @Override
    public Clock getClock() {
        return clock;
    }

    @Override
    public EventHandler<Event> getEventHandler() {
        return handler;
    }

    /** Null as long as there is none. */
    public MirrorJob job() {
        return job;
    }

    public void setJob(MirrorJob job) {
        this.job = job;
    }

    @Override
    public Job getJob(JobId id) {
        MirrorJob known = job;
        return known != null && known.getID().equals(id) ? known : null;
    }

    @Override
    public Map<JobId, Job> getAllJobs() {
        MirrorJob known = job;
        return known == null ? Map.of() : Map.of(known.getID(), known);
    }
}
