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
package org.apache.hadoop.clone.task;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.JvmTask;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;

/**
 * Hadoop's half of {@link StandInAppMaster}: gives out one task, and notes what it says. Not a
 * class that implements the protocol, for some of that's types are private to Hadoop.
 */
final class StandInUmbilical implements InvocationHandler {
    private final StandInAppMaster notes;
    private final Task task;

    private StandInUmbilical(StandInAppMaster notes, Task task) {
        this.notes = notes;
        this.task = task;
    }

    static TaskUmbilicalProtocol of(StandInAppMaster notes, Task task) {
        return (TaskUmbilicalProtocol)
                Proxy.newProxyInstance(
                        StandInUmbilical.class.getClassLoader(),
                        new Class<?>[] {TaskUmbilicalProtocol.class},
                        new StandInUmbilical(notes, task));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments)
            throws InterruptedException {
        return switch (method.getName()) {
            case "getTask" -> new JvmTask(task, false);
            case "statusUpdate" -> updated((TaskAttemptID) arguments[0], (TaskStatus) arguments[1]);
            case "getMapCompletionEvents" ->
                    completions((TaskAttemptID) arguments[3], (int) arguments[1]);
            case "done" -> {
                notes.done.add((TaskAttemptID) arguments[0]);
                yield null;
            }
            case "commitPending" -> {
                notes.commits.pass();
                yield null;
            }
            case "canCommit" -> true;
            case "getProtocolVersion" -> TaskUmbilicalProtocol.versionID;
            case "getProtocolSignature" ->
                    new ProtocolSignature(TaskUmbilicalProtocol.versionID, null);
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "stand-in umbilical";
            default -> {
                // Trouble of one kind or another.
                notes.errors.add(method.getName() + Arrays.toString(arguments));
                yield null;
            }
        };
    }

    private MapTaskCompletionEventsUpdate completions(TaskAttemptID reduce, int from) {
        List<TaskCompletionEvent> all = notes.completions.apply(reduce);
        return new MapTaskCompletionEventsUpdate(
                all.subList(from, all.size()).toArray(TaskCompletionEvent[]::new), false);
    }

    private AMFeedback updated(TaskAttemptID attempt, TaskStatus status)
            throws InterruptedException {
        notes.statusUpdates.pass();
        if (status != null && status.getFetchFailedMaps() != null) {
            notes.fetchFailures.addAll(status.getFetchFailedMaps());
        }
        notes.updates.computeIfAbsent(attempt, a -> new AtomicLong()).incrementAndGet();
        AMFeedback feedback = new AMFeedback();
        feedback.setTaskFound(true);
        feedback.setPreemption(false);
        return feedback;
    }
}
