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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.CostRules;
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
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.SystemClock;

/**
 * Hadoop's own test AppMaster, with its real job, task and attempt state machines, put together as
 * {@link CloneAppMaster} is. Only the cluster is missing: containers are granted on the hosts that
 * a test says, in turn, and run nothing.
 */
class CloningApp extends MRApp {
    /** The score of a clone that is worth it however long this machine takes. */
    static final CloneScore WORTH_IT = new CloneScore(1e9, 10_000, 40_000, 1e9);

    final Orders orders = new Orders();
    final Map<TaskAttemptId, ContainerRemoteLaunchEvent> launched = new ConcurrentHashMap<>();
    final List<ContainerRequestEvent> requests = new CopyOnWriteArrayList<>();
    final List<TaskAttemptId> givenBack = new CopyOnWriteArrayList<>();

    /** With each request, the hosts that the ResourceManager isn't to offer. */
    final List<Set<String>> withheld = new CopyOnWriteArrayList<>();

    /** Whose containers can't be launched. */
    final Set<TaskAttemptId> unreachable = ConcurrentHashMap.newKeySet();

    private final List<String> hosts;
    private final CloneDispatcher cloneDispatcher = new CloneDispatcher();
    private final LaunchSecrets secrets = new LaunchSecrets();
    private AttemptPlacement placement;
    private CloneCoordinator coordinator;
    private CloneService service;

    /**
     * A job of one map.
     *
     * @param hosts of its containers, one after the other
     */
    CloningApp(String name, String... hosts) {
        this(1, name, hosts);
    }

    /** The same with more maps. */
    CloningApp(int maps, String name, String... hosts) {
        this(maps, 0, SystemClock.getInstance(), name, hosts);
    }

    /** The same with reduces, in a time of its own. */
    CloningApp(int maps, int reduces, Clock clock, String name, String... hosts) {
        super(maps, reduces, false, name, true, clock);
        this.hosts = List.of(hosts);
    }

    AttemptPlacement placement() {
        return placement;
    }

    CloneCoordinator coordinator() {
        return coordinator;
    }

    CloneDispatcher dispatcher() {
        return cloneDispatcher;
    }

    @Override
    protected Dispatcher createDispatcher() {
        return cloneDispatcher;
    }

    /** Also for a speculator, which is made before all others. */
    CloneCoordinator coordinator(AppContext context) {
        if (coordinator == null) {
            coordinator =
                    new CloneCoordinator(
                            getConfig(),
                            context,
                            orders,
                            secrets,
                            new CloneCosts(1, 1, 1),
                            CostRules.PRESET,
                            PlacementRules.PRESET);
        }
        return coordinator;
    }

    @Override
    protected ContainerLauncher createContainerLauncher(AppContext context) {
        coordinator = coordinator(context);
        placement =
                new AttemptPlacement(
                        context,
                        coordinator::isClone,
                        getConfig()
                                .getBoolean(
                                        CloneKeys.AVOID_SLOW_HOSTS,
                                        CloneKeys.AVOID_SLOW_HOSTS_DEFAULT),
                        PlacementRules.PRESET);
        cloneDispatcher.connect(context, coordinator, placement, () -> {}, this::repeatRequests);
        service = new CloneService("localhost", orders, coordinator);
        addService(service);
        Nodes nodes = new Nodes();
        coordinator.connect((original, sinceLaunchMillis) -> Optional.of(WORTH_IT), nodes::handle);
        return new CloneLauncher(nodes, coordinator, new Marks());
    }

    @Override
    protected ContainerAllocator createContainerAllocator(
            ClientService client, AppContext context) {
        return new Scheduler();
    }

    /** A ResourceManager of a test's own never forgets any. */
    void repeatRequests() {}

    void send(Event<?> event) {
        send(getContext(), event);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // as AppContext
    private static void send(AppContext context, Event event) {
        context.getEventHandler().handle(event);
    }

    /** Its container has been stopped. */
    void cleaned(TaskAttemptId attempt) {}

    void tell(TaskAttemptId attempt, TaskAttemptEventType what) {
        send(new TaskAttemptEvent(attempt, what));
    }

    /** Grants each request at once. */
    private final class Scheduler implements ContainerAllocator, RMHeartbeatHandler {
        private int granted;

        @Override
        public void handle(ContainerAllocatorEvent event) {
            if (event instanceof ContainerRequestEvent request) {
                withheld.add(placement.withheld());
                requests.add(request);
                ContainerId id =
                        ContainerId.newContainerId(
                                getContext().getApplicationAttemptId(), 100 + granted);
                Container container =
                        Container.newInstance(
                                id,
                                NodeId.newInstance(hosts.get(granted % hosts.size()), 1),
                                "localhost:2",
                                Resource.newInstance(1024, 1),
                                null,
                                null);
                granted++;
                send(
                        new TaskAttemptContainerAssignedEvent(
                                request.getAttemptID(), container, Map.of()));
            } else if (event.getType() == ContainerAllocator.EventType.CONTAINER_DEALLOCATE) {
                givenBack.add(event.getAttemptID());
            }
        }

        @Override
        public long getLastHeartbeatTime() {
            return getContext().getClock().getTime();
        }

        @Override
        public void runOnNextHeartbeat(Runnable callback) {
            callback.run();
        }
    }

    /** Launches and cleans up what it is told, without a process. */
    private final class Nodes extends AbstractService implements ContainerLauncher {
        private static final int SHUFFLE_PORT = 13562;

        Nodes() {
            super(Nodes.class.getName());
        }

        @Override
        public void handle(ContainerLauncherEvent event) {
            switch (event.getType()) {
                case CONTAINER_REMOTE_LAUNCH -> {
                    if (unreachable.contains(event.getTaskAttemptID())) {
                        tell(
                                event.getTaskAttemptID(),
                                TaskAttemptEventType.TA_CONTAINER_LAUNCH_FAILED);
                        return;
                    }
                    launched.put(event.getTaskAttemptID(), (ContainerRemoteLaunchEvent) event);
                    send(
                            new TaskAttemptContainerLaunchedEvent(
                                    event.getTaskAttemptID(), SHUFFLE_PORT));
                }
                case CONTAINER_REMOTE_CLEANUP -> {
                    tell(event.getTaskAttemptID(), TaskAttemptEventType.TA_CONTAINER_CLEANED);
                    cleaned(event.getTaskAttemptID());
                }
                default -> {} // nothing is kept here
            }
        }
    }

    private final class Marks implements CloneLauncher.TaskMarks {
        @Override
        public String address() {
            return service.address();
        }

        @Override
        public String agentJar() {
            return "/opt/agent.jar";
        }

        @Override
        public boolean perSpill() {
            return false;
        }

        @Override
        public void firstLaunch(ContainerLaunchContext container) throws IOException {
            service.accept(TypeConverter.fromYarn(getJobId()).toString(), secrets.learn(container));
        }
    }
}
