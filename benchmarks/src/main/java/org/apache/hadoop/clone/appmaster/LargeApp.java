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

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.LatencyLog;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.TimedSpeculator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerLaunchedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;

/**
 * Hadoop's own test AppMaster, with its real job, task and attempt state machines and the real
 * speculator, as stock puts it together or as {@link CloneAppMaster} does. ResourceManager and
 * NodeManagers are stood in for: whoever runs this grants containers, and nothing runs in them.
 */
final class LargeApp extends MRApp {
    private static final Resource TASK = Resource.newInstance(1024, 1);

    final LatencyLog events = new LatencyLog();
    final LatencyLog placements = new LatencyLog();
    final LatencyLog looks = new LatencyLog();

    /** Looks for reduces that are to give way. */
    final LatencyLog yieldLooks = new LatencyLog();

    final LongAdder heartbeats = new LongAdder();

    /** Containers that were asked for. */
    final Queue<TaskAttemptId> requested = new ConcurrentLinkedQueue<>();

    /** Attempts that run, as their NodeManagers know. */
    final Queue<TaskAttemptId> launched = new ConcurrentLinkedQueue<>();

    private final boolean clones;
    private final JobClock clock;
    private final AtomicInteger granted = new AtomicInteger();
    private final Orders orders = new Orders();
    private final LaunchSecrets secrets = new LaunchSecrets();
    private final CloneDispatcher cloneDispatcher =
            new CloneDispatcher() {
                @Override
                protected void dispatch(@SuppressWarnings("rawtypes") Event event) {
                    long before = System.nanoTime();
                    super.dispatch(event);
                    dispatched(event, System.nanoTime() - before);
                }
            };
    private CloneCoordinator coordinator;
    private AttemptPlacement placement;
    private ReduceYields yields;
    private CloneSpeculator speculator;
    private DefaultSpeculator stockSpeculator;

    /**
     * @param clones whether it is put together as ours
     */
    LargeApp(boolean clones, int maps, int reduces, JobClock clock) {
        super(maps, reduces, false, "am-cost", true, clock);
        this.clones = clones;
        this.clock = clock;
    }

    private void dispatched(Event<?> event, long nanos) {
        events.record(nanos);
        boolean places =
                event instanceof ContainerRequestEvent request && isBackup(request.getAttemptID())
                        || event instanceof TaskAttemptContainerAssignedEvent assigned
                                && isBackup(assigned.getTaskAttemptID());
        if (places) {
            placements.record(nanos);
        }
    }

    private static boolean isBackup(TaskAttemptId attempt) {
        return attempt.getId() > 0;
    }

    @Override
    protected Dispatcher createDispatcher() {
        return clones
                ? cloneDispatcher
                : new AsyncDispatcher() {
                    @Override
                    protected void dispatch(@SuppressWarnings("rawtypes") Event event) {
                        long before = System.nanoTime();
                        super.dispatch(event);
                        dispatched(event, System.nanoTime() - before);
                    }
                };
    }

    @Override
    protected Speculator createSpeculator(Configuration conf, AppContext context) {
        if (clones) {
            speculator = new TimedSpeculator(conf, context, coordinator(conf, context), looks);
            return speculator;
        }
        stockSpeculator = new DefaultSpeculator(conf, context);
        return stockSpeculator;
    }

    /** It may have begun a look while the clock was put forward, and rests as long as that took. */
    void wakeSpeculator() {
        if (!clones) {
            stockSpeculator.scanForSpeculations();
        }
    }

    private CloneCoordinator coordinator(Configuration conf, AppContext context) {
        if (coordinator == null) {
            coordinator =
                    new CloneCoordinator(
                            conf,
                            context,
                            orders,
                            secrets,
                            CloneSpeculator.configuredCosts(conf),
                            CostRules.PRESET,
                            PlacementRules.PRESET);
        }
        return coordinator;
    }

    @Override
    protected ContainerAllocator createContainerAllocator(
            ClientService client, AppContext context) {
        return new Scheduler();
    }

    @Override
    protected ContainerLauncher createContainerLauncher(AppContext context) {
        Nodes nodes = new Nodes();
        if (!clones) {
            return nodes;
        }
        CloneCoordinator leader = coordinator(getConfig(), context);
        placement = new AttemptPlacement(context, leader::isClone, true, PlacementRules.PRESET);
        HurriedAllocation hurried =
                new HurriedAllocation(
                        () -> {
                            heartbeats.increment();
                            return true;
                        },
                        placement::isAwaiting,
                        new HeartbeatAllowance(
                                MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS,
                                clock::getTime),
                        HadoopExecutors.newSingleThreadScheduledExecutor());
        cloneDispatcher.connect(context, leader, placement, hurried::begin, () -> {});
        // What gives way is decided on, but nothing does, or it would be another job than stock's.
        yields =
                new ReduceYields(
                        context,
                        placement,
                        speculator,
                        (urgent, reduce, asked) -> false,
                        SpeculationRules.PRESET);
        leader.connect((original, sinceLaunchMillis) -> Optional.empty(), nodes::handle);
        return new CloneLauncher(nodes, leader, new Marks());
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // as AppContext
    void send(Event event) {
        getContext().getEventHandler().handle(event);
    }

    void tell(TaskAttemptId attempt, TaskAttemptEventType what) {
        send(new TaskAttemptEvent(attempt, what));
    }

    /** Gives the attempt a container there. */
    void grant(TaskAttemptId attempt, String host) {
        Container container =
                Container.newInstance(
                        ContainerId.newContainerId(
                                getContext().getApplicationAttemptId(),
                                100L + granted.incrementAndGet()),
                        NodeId.newInstance(host, 1),
                        "localhost:2", // is resolved at every launch
                        TASK,
                        null,
                        null);
        send(new TaskAttemptContainerAssignedEvent(attempt, container, Map.of()));
    }

    /** Some of what the AppMaster does once in half a second. */
    void tick() {
        if (clones) {
            coordinator.tick();
            cloneDispatcher.askAgain();
            placement.sortHosts();
            long before = System.nanoTime();
            yields.look();
            yieldLooks.record(System.nanoTime() - before);
        }
    }

    /** Its agent waits for orders. */
    void await(TaskAttemptId attempt) {
        if (clones) {
            orders.ask(
                    org.apache.hadoop.mapred.TaskAttemptID.downgrade(
                            TypeConverter.fromYarn(attempt)),
                    0,
                    Long.MAX_VALUE,
                    order -> {});
        }
    }

    private final class Scheduler implements ContainerAllocator, RMHeartbeatHandler {
        @Override
        public void handle(ContainerAllocatorEvent event) {
            if (event instanceof ContainerRequestEvent request) {
                requested.add(request.getAttemptID());
            }
        }

        @Override
        public long getLastHeartbeatTime() {
            return clock.getTime();
        }

        @Override
        public void runOnNextHeartbeat(Runnable callback) {
            callback.run();
        }
    }

    private final class Nodes extends AbstractService implements ContainerLauncher {
        private static final int SHUFFLE_PORT = 13562;

        Nodes() {
            super(Nodes.class.getName());
        }

        @Override
        public void handle(ContainerLauncherEvent event) {
            TaskAttemptId attempt = event.getTaskAttemptID();
            switch (event.getType()) {
                case CONTAINER_REMOTE_LAUNCH -> {
                    send(new TaskAttemptContainerLaunchedEvent(attempt, SHUFFLE_PORT));
                    launched.add(attempt);
                }
                case CONTAINER_REMOTE_CLEANUP ->
                        tell(attempt, TaskAttemptEventType.TA_CONTAINER_CLEANED);
                default -> {} // nothing is kept here
            }
        }
    }

    private static final class Marks implements CloneLauncher.TaskMarks {
        @Override
        public String address() {
            return "localhost:1";
        }

        @Override
        public String agentJar() {
            return "/opt/agent.jar";
        }

        @Override
        public boolean perSpill() {
            return true;
        }

        @Override
        public void firstLaunch(ContainerLaunchContext container) throws IOException {
            // Nobody calls.
        }
    }
}
