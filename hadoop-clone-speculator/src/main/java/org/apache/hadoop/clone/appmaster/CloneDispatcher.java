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

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.limits.ExtraContainers;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stock's dispatcher; container requests, containers, ends of attempts and jobs' counters pass
 * through here on their way to stock's handlers.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as what it overrides
class CloneDispatcher extends AsyncDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(CloneDispatcher.class);

    /** One that has ended otherwise may still wait for its container's end, and not for a kill. */
    private static final Set<TaskAttemptState> UNDER_WAY =
            EnumSet.of(
                    TaskAttemptState.STARTING,
                    TaskAttemptState.RUNNING,
                    TaskAttemptState.COMMIT_PENDING);

    private AppContext context;
    private CloneCoordinator coordinator;
    private AttemptPlacement placement;
    private CloneJournal journal;
    private final ExtraContainers extra = new ExtraContainers();
    private Runnable hurry;
    private Runnable repeat;
    private Optional<ContainerHandover> handover = Optional.empty();
    private EventHandler<Event> allocator;

    /**
     * Before the first event; the AppMaster's context is made after its dispatcher.
     *
     * @param hurry is run when a backup's container has been asked for
     * @param repeat is run when the ResourceManager has to be told once more what is asked for
     */
    void connect(
            AppContext context,
            CloneCoordinator coordinator,
            AttemptPlacement placement,
            Runnable hurry,
            Runnable repeat) {
        this.context = context;
        this.coordinator = coordinator;
        this.placement = placement;
        journal = new CloneJournal(context);
        this.hurry = hurry;
        this.repeat = repeat;
    }

    /** Containers of reduces that wait may become maps'. */
    void connect(ContainerHandover handover) {
        this.handover = Optional.of(handover);
    }

    @Override
    public void register(Class<? extends Enum> type, EventHandler handler) {
        EventHandler<Event> stock = handler;
        if (type == ContainerAllocator.EventType.class) {
            allocator = stock;
            super.register(type, (EventHandler<Event>) this::ask);
        } else if (type == TaskAttemptEventType.class) {
            super.register(
                    type,
                    (EventHandler<Event>) event -> handleAttempt((TaskAttemptEvent) event, stock));
        } else if (type == TaskEventType.class) {
            super.register(
                    type, (EventHandler<Event>) event -> handleTask((TaskEvent) event, stock));
        } else if (type == JobEventType.class) {
            SpareCounters counters = new SpareCounters(stock);
            super.register(
                    type,
                    (EventHandler<Event>) event -> handleJob((JobEvent) event, stock, counters));
        } else {
            super.register(type, handler);
        }
    }

    private void handleJob(JobEvent event, EventHandler<Event> stock, SpareCounters counters) {
        // Not connected is one that only tells how an AppMaster before it has ended.
        if (context == null) {
            stock.handle(event);
        } else {
            counters.handle(event, context.getJob(event.getJobId()));
        }
    }

    /**
     * A task is looked at before its second attempt is ordered, and may have succeeded meanwhile,
     * and lost its output with a node. What waits to run again can't be given a second attempt: it
     * would end the job (TaskImpl has no such transition).
     */
    private void handleTask(TaskEvent event, EventHandler<Event> stock) {
        if (event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT
                && context != null
                && taskOf(event.getTaskID()).getState() != TaskState.RUNNING) {
            LOG.info("{} doesn't run any more, and gets no second attempt", event.getTaskID());
        } else {
            stock.handle(event);
        }
    }

    private void ask(Event<?> event) {
        Event<?> placed =
                event instanceof ContainerRequestEvent request
                        ? Harmless.or(request, () -> placed(request))
                        : event;
        allocator.handle(placed);
        if (placed != event) {
            Harmless.run(hurry);
        }
    }

    /** Nothing comes after this of an attempt that has ended, by which it could be forgotten. */
    private ContainerRequestEvent placed(ContainerRequestEvent request) {
        boolean isOurs =
                coordinator.permission().isOn()
                        && UNDER_WAY.contains(state(request.getAttemptID()));
        return isOurs ? placement.request(request) : request;
    }

    private void handleAttempt(TaskAttemptEvent event, EventHandler<Event> stock) {
        if (event instanceof ContainerHandover.HandedOver handed) {
            Harmless.run(() -> asksAnew(handed.reduce()));
        }
        if (event instanceof TaskAttemptContainerAssignedEvent assigned) {
            Harmless.run(() -> recount(assigned));
            if (Harmless.or(false, () -> isHeld(assigned))) {
                return;
            }
            if (Harmless.or(false, () -> isGivenBack(assigned))) {
                askAgain();
                return;
            }
        }
        TaskAttemptId id = event.getTaskAttemptID();
        boolean completed = event.getType() == TaskAttemptEventType.TA_CONTAINER_COMPLETED;
        if (completed && attempt(id).getNodeId() == null) {
            // Of one that has just been given back: stock would end the job, as the attempt has no
            // container.
            return;
        }
        if (event instanceof SecondAttemptKill && !Harmless.or(false, () -> mayBeKilled(id))) {
            coordinator.keeps(id);
            return;
        }
        if (event instanceof ReduceYieldKill yield && !Harmless.or(false, () -> mayYield(yield))) {
            return;
        }
        if (event.getType() == TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE
                && attempt(id).getState() == TaskAttemptState.KILLED) {
            // SpillService kills a map that has only just succeeded, if its spills are lost. While
            // its task is cleaned up stock has no transition for this, and would end the job.
            return;
        }
        Optional<String> cloneFailure = Harmless.or(Optional.empty(), () -> cloneFailure(event));
        stock.handle(
                cloneFailure.isPresent()
                        ? new TaskAttemptKillEvent(id, "the clone has ended: " + cloneFailure.get())
                        : event);
        if (cloneFailure.isPresent()
                && event.getType() == TaskAttemptEventType.TA_CONTAINER_LAUNCH_FAILED) {
            // Stock gives it back when an attempt fails so, and not when one is killed.
            giveBack(id);
        }
        Harmless.run(() -> tell(event, cloneFailure));
    }

    /** What has become of an attempt by what Hadoop was told. */
    private void tell(TaskAttemptEvent event, Optional<String> cloneFailure) {
        TaskAttemptId id = event.getTaskAttemptID();
        placement.changed(attempt(id));
        if (event.getType() == TaskAttemptEventType.TA_CONTAINER_COMPLETED) {
            // The ResourceManager says so: it may give it to the next one.
            placement.cameFree(attempt(id).getNodeId().getHost());
            askAgain();
        }
        if (event.getType() == TaskAttemptEventType.TA_ASSIGNED) {
            Set<TaskAttemptId> underWay = underWay(task(id));
            if (underWay.contains(id) && underWay.size() > 1) {
                extra.began(id.getTaskId(), underWay, now());
            }
        }
        tellEnd(id, cloneFailure);
    }

    /**
     * One that has ended meanwhile, perhaps well, isn't killed, nor one that commits, nor the only
     * one that runs.
     */
    private boolean mayBeKilled(TaskAttemptId second) {
        return state(second) == TaskAttemptState.RUNNING
                && task(second).getAttempts().values().stream()
                        .filter(other -> other.getID().getId() < second.getId())
                        .anyMatch(other -> other.getState() == TaskAttemptState.RUNNING);
    }

    /** The container that a map waits for may have come in the very exchange that asked for it. */
    private boolean mayYield(ReduceYieldKill yield) {
        boolean waits = placement.awaitedMaps().containsKey(yield.backup());
        if (waits) {
            LOG.info("{} gives way: {}", yield.getTaskAttemptID(), yield.getMessage());
            journal.count(CloneCounter.REDUCES_YIELDED, 1);
        }
        return waits;
    }

    private static Set<TaskAttemptId> underWay(Task task) {
        return task.getAttempts().values().stream()
                .filter(attempt -> UNDER_WAY.contains(attempt.getState()))
                .map(TaskAttempt::getID)
                .collect(Collectors.toSet());
    }

    private long now() {
        return context.getClock().getTime();
    }

    /** What second attempts have cost until now, in milliseconds. */
    long extraMillis() {
        return extra.millis(now());
    }

    /** Before it is taken or given back. A reduce's that is handed over was nobody's request. */
    private void recount(TaskAttemptContainerAssignedEvent event) {
        TaskAttemptId id = event.getTaskAttemptID();
        if (!(event instanceof ContainerHandover.HandedOver)
                && placement.isGrantedForAnother(id, event.getContainer())) {
            LOG.info("{} has a container of another map, which is asked for once more", id);
            repeat.run();
        }
    }

    private boolean isHeld(TaskAttemptContainerAssignedEvent event) {
        return coordinator.permission().isOn()
                && UNDER_WAY.contains(state(event.getTaskAttemptID()))
                && handover.filter(known -> known.holds(event)).isPresent();
    }

    /** A reduce whose container a map's second attempt has. */
    private void asksAnew(TaskAttemptId reduce) {
        if (UNDER_WAY.contains(state(reduce))) {
            // First of all: without a request it would wait for ever.
            placement.again(reduce).ifPresent(allocator::handle);
            journal.count(CloneCounter.REDUCES_YIELDED, 1);
        }
    }

    /**
     * In one step, as the clock may ask for another at any moment: the allocator would take that
     * request for the one that is given back, and the attempt would have neither.
     */
    private boolean isGivenBack(TaskAttemptContainerAssignedEvent event) {
        synchronized (placement) {
            boolean refused = isRefused(event);
            if (refused) {
                giveBack(event.getTaskAttemptID());
            }
            return refused;
        }
    }

    private boolean isRefused(TaskAttemptContainerAssignedEvent event) {
        TaskAttemptId id = event.getTaskAttemptID();
        // Stock can't take back what was asked for a reduce, and keeps what a dead attempt gets.
        boolean over = !UNDER_WAY.contains(state(id));
        boolean wrongHost = !over && !isTaken(id) && placement.refuse(id, event.getContainer());
        if (wrongHost) {
            journal.count(CloneCounter.CONTAINERS_GIVEN_BACK, 1);
        }
        if (over || wrongHost) {
            LOG.info("{} isn't to run on {}", id, event.getContainer().getNodeId());
        }
        return over || wrongHost;
    }

    /** As stock takes all, once that is wanted. */
    private boolean isTaken(TaskAttemptId id) {
        boolean off = !coordinator.permission().isOn();
        if (off) {
            placement.forget(id);
        }
        return off;
    }

    /**
     * For attempts that were given containers which they aren't to have; to be called every second
     * or so. No hurry: what may be had would only be refused again the sooner.
     */
    void askAgain() {
        // An attempt that ends is forgotten by then, or its request is withdrawn after this: in
        // between it would stay, for an attempt that nobody has any more.
        synchronized (placement) {
            placement.due().forEach(allocator::handle);
        }
    }

    private void giveBack(TaskAttemptId id) {
        allocator.handle(
                new ContainerAllocatorEvent(id, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
    }

    /**
     * A clone that fails is taken back, not counted as a failure of its task: the original is as
     * good as before. An attempt that began at zero after all fails as in stock.
     *
     * @return what has failed, if it is, or may be, a clone
     */
    private Optional<String> cloneFailure(TaskAttemptEvent event) {
        TaskAttemptId id = event.getTaskAttemptID();
        boolean clones =
                switch (event.getType()) {
                    // Only a process that is its attempt says so.
                    case TA_FAILMSG, TA_FAILMSG_BY_CLIENT -> coordinator.isCloneProcess(id);
                    // A clone that nobody waits for any more halts: that isn't its task's fault.
                    case TA_TIMED_OUT, TA_CONTAINER_COMPLETED, TA_CONTAINER_LAUNCH_FAILED ->
                            coordinator.mayBeClone(id);
                    default -> false;
                };
        return clones && UNDER_WAY.contains(state(id)) ? Optional.of(why(event)) : Optional.empty();
    }

    /** What is known of it before stock adds what it makes of it. */
    private String why(TaskAttemptEvent event) {
        List<String> said = attempt(event.getTaskAttemptID()).getDiagnostics();
        return event.getType() == TaskAttemptEventType.TA_FAILMSG && !said.isEmpty()
                ? event.getType() + ": " + said.get(said.size() - 1).lines().findFirst().orElse("")
                : event.getType().toString();
    }

    private void tellEnd(TaskAttemptId id, Optional<String> cloneFailure) {
        TaskAttemptState state = state(id);
        if (state == TaskAttemptState.NEW || UNDER_WAY.contains(state)) {
            return;
        }
        placement.forget(id);
        long extraMillis = extra.ended(id, now());
        if (extraMillis > 0) {
            journal.count(CloneCounter.EXTRA_CONTAINER_MILLIS, extraMillis);
        }
        if (cloneFailure.isPresent()) {
            coordinator.failed(id, cloneFailure.get());
        } else {
            coordinator.ended(id, state == TaskAttemptState.SUCCEEDED);
        }
    }

    private TaskAttemptState state(TaskAttemptId id) {
        return attempt(id).getState();
    }

    private TaskAttempt attempt(TaskAttemptId id) {
        return task(id).getAttempt(id);
    }

    private Task task(TaskAttemptId id) {
        return taskOf(id.getTaskId());
    }

    private Task taskOf(TaskId id) {
        return context.getJob(id.getJobId()).getTask(id);
    }
}
