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
package org.apache.hadoop.mapred;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/**
 * Stock's, and each task is heard of as soon as its JVM asks for it. Stock hears of it with its
 * first report only: that comes an interval later, and where processors are busy 10 s later, or 25,
 * when a short map has nearly ended. Until then a JVM that starts slowly can't be told from one
 * that works, and a reduce that only waits for maps isn't known to.
 *
 * <p>In this package since what a JVM asks with, {@code JvmContext}, is known here only.
 */
@InterfaceAudience.Private
public final class StartListener extends TaskAttemptListenerImpl {
    /** What MRAppMaster has as long as spills aren't encrypted; else the key is its own. */
    private static final byte[] NO_KEY = {0};

    private final AppContext context;

    /** As stock's, where spills aren't encrypted. */
    public StartListener(
            AppContext context,
            JobTokenSecretManager tokens,
            RMHeartbeatHandler heartbeats,
            AMPreemptionPolicy preemption) {
        super(context, tokens, heartbeats, preemption, NO_KEY);
        this.context = context;
    }

    // Before the JVM has its answer, so no report of its own can have come.
    @Override
    public JvmTask getTask(JvmContext jvm) throws IOException {
        JvmTask given = super.getTask(jvm);
        if (given != null && given.getTask() != null) {
            context.getEventHandler().handle(begun(given.getTask()));
        }
        return given;
    }

    private static TaskAttemptStatusUpdateEvent begun(Task task) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = TypeConverter.toYarn(task.getTaskID());
        status.phase = task.isMapTask() ? Phase.MAP : Phase.SHUFFLE;
        status.stateString = "";
        status.counters = new Counters();
        return new TaskAttemptStatusUpdateEvent(status.id, new AtomicReference<>(status));
    }
}
