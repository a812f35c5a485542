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

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.yarn.util.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a map's second attempt begin in a container that a reduce was given and hasn't begun in:
 * requests of reduces are served before those of maps, and a reduce can't end before that map. The
 * container stays with the job, where to give it back would give it to whoever is next in the
 * cluster.
 *
 * <p>Hadoop isn't told of the container before it is known whose it is. That takes the allocator's
 * lock, which an exchange with the ResourceManager holds for as long as that one can't be reached:
 * so the event thread doesn't wait for it, and a reduce doesn't for longer than {@link
 * #PATIENCE_MILLIS}.
 */
final class ContainerHandover {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerHandover.class);

    /** An exchange with the ResourceManager takes some milliseconds. */
    static final long PATIENCE_MILLIS = 2000;

    /** What the allocator has been told is handled soon. */
    private static final long RETRY_MILLIS = 50;

    /** {@link org.apache.hadoop.mapreduce.v2.app.AppMasterDoor#handOver}, of one allocator. */
    interface Allocator {
        boolean handOver(
                TaskAttemptId reduce, TaskAttemptId map, boolean asks, BooleanSupplier wanted);
    }

    /** The container remains the reduce's. */
    private static final class Kept extends TaskAttemptContainerAssignedEvent {
        Kept(TaskAttemptContainerAssignedEvent event) {
            super(event.getTaskAttemptID(), event.getContainer(), event.getApplicationACLs());
        }
    }

    /** The container is another attempt's. */
    static final class HandedOver extends TaskAttemptContainerAssignedEvent {
        private final TaskAttemptId reduce;

        HandedOver(TaskAttemptId backup, TaskAttemptContainerAssignedEvent event) {
            super(backup, event.getContainer(), event.getApplicationACLs());
            reduce = event.getTaskAttemptID();
        }

        /** Has to ask for another one. */
        TaskAttemptId reduce() {
            return reduce;
        }
    }

    private record Held(
            TaskAttemptContainerAssignedEvent event, long sinceMillis, AtomicBoolean decided) {
        TaskAttemptId reduce() {
            return event.getTaskAttemptID();
        }

        String host() {
            return event.getContainer().getNodeId().getHost();
        }

        /** Whether that wasn't done before. */
        boolean decide() {
            return decided.compareAndSet(false, true);
        }
    }

    private final AttemptPlacement placement;
    private final BiFunction<TaskAttemptId, String, Optional<TaskAttemptId>> takers;
    private final Allocator allocator;
    private final ScheduledExecutorService executor;
    private final Clock clock;
    private final Consumer<TaskAttemptEvent> events;
    private final Map<TaskAttemptId, Held> held = new ConcurrentHashMap<>();

    /**
     * @param takers which backup is to have a reduce's container on a host, if any
     * @param executor of the thread by which takers are asked, and which may wait
     * @param events takes what is decided, as Hadoop's dispatcher
     */
    ContainerHandover(
            AttemptPlacement placement,
            BiFunction<TaskAttemptId, String, Optional<TaskAttemptId>> takers,
            Allocator allocator,
            ScheduledExecutorService executor,
            Clock clock,
            Consumer<TaskAttemptEvent> events) {
        this.placement = placement;
        this.takers = takers;
        this.allocator = allocator;
        this.executor = executor;
        this.clock = clock;
        this.events = events;
    }

    /** Whether it isn't decided yet whose that container is: another event will say so. */
    boolean holds(TaskAttemptContainerAssignedEvent event) {
        Held one = new Held(event, clock.getTime(), new AtomicBoolean());
        if (event instanceof Kept
                || !placement.isWantedByMap(one.reduce(), event.getContainer())
                || executor.isShutdown()) {
            return false;
        }
        held.put(one.reduce(), one);
        executor.execute(() -> decide(one));
        return true;
    }

    private void decide(Held one) {
        if (!one.decided.get() && !Harmless.or(false, () -> isWanted(one))) {
            keep(one);
        }
    }

    /** Whether it is a map's by now, or may still become one's. */
    private boolean isWanted(Held one) {
        Optional<AttemptPlacement.Awaited> taker =
                takers.apply(one.reduce(), one.host()).flatMap(placement::take);
        if (taker.isPresent() && !isHandedOver(one, taker.get())) {
            executor.schedule(() -> decide(one), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
        return taker.isPresent();
    }

    private boolean isHandedOver(Held one, AttemptPlacement.Awaited awaited) {
        TaskAttemptId map = awaited.backup();
        boolean done;
        try {
            done = allocator.handOver(one.reduce(), map, awaited.asks(), one::decide);
        } catch (RuntimeException | LinkageError e) {
            // Hadoop's inside is another than was thought: the reduce is told, and the map asks.
            one.decided.set(false);
            placement.asksAgain(map);
            throw e;
        }
        if (done) {
            held.remove(one.reduce(), one);
            LOG.info("{} has the container of {}, which begins later", map, one.reduce());
            events.accept(new HandedOver(map, one.event));
        } else {
            placement.putBack(awaited);
        }
        return done;
    }

    private void keep(Held one) {
        if (one.decide()) {
            held.remove(one.reduce(), one);
            events.accept(new Kept(one.event));
        }
    }

    /** Those that have waited for long enough have their containers; to be called every second. */
    void tick() {
        held.values().stream()
                .filter(one -> clock.getTime() - one.sinceMillis >= PATIENCE_MILLIS)
                .forEach(this::keep);
    }
}
