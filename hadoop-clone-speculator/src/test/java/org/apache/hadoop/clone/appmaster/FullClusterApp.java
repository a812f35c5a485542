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

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.YieldOutlook;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.SystemClock;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * A {@link CloningApp} with Hadoop's own allocator, whose ResourceManager has one container on each
 * of a few hosts, and gives them away by priority.
 */
final class FullClusterApp extends CloningApp {
    /** A backup gains 80 s. */
    private static final CloneScore SCORE = new CloneScore(100_000, 2000, 18_000, 40_000);

    private final Manager manager;
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
    private RMContainerAllocator allocator;
    private ReduceYields yields;
    private volatile Optional<Queue<ContainerId>> held = Optional.empty();

    FullClusterApp(int maps, int reduces, String name, String... hosts) {
        super(maps, reduces, SystemClock.getInstance(), name, hosts);
        manager = new Manager(hosts);
    }

    @Override
    protected ContainerAllocator createContainerAllocator(
            ClientService client, AppContext context) {
        allocator =
                new RMContainerAllocator(client, context, new NoopAMPreemptionPolicy()) {
                    @Override
                    protected ApplicationMasterProtocol createSchedulerProxy() {
                        return manager;
                    }
                };
        return allocator;
    }

    /**
     * From now on the ResourceManager isn't to offer any container on these, as they are then; and
     * the placement is told how many nodes there are.
     */
    void withhold(Supplier<Set<String>> hosts) {
        AllocatorDoor.speakThrough(
                allocator, stock -> new WithholdingProtocol(stock, hosts, placement()::clusterHas));
    }

    RMContainerAllocator allocator() {
        return allocator;
    }

    /** Once the job is there. Reduces lose the less the higher their number. */
    ReduceYields yields() {
        if (yields == null) {
            yields =
                    new ReduceYields(
                            getContext(),
                            placement(),
                            new YieldOutlook() {
                                @Override
                                public boolean firstMapsWait() {
                                    return false;
                                }

                                @Override
                                public Optional<CloneScore> waitingScore(TaskAttemptId map) {
                                    return Optional.of(SCORE);
                                }

                                @Override
                                public double restartMillis(TaskAttempt reduce) {
                                    return 100 - reduce.getID().getTaskId().getId();
                                }

                                @Override
                                public double price() {
                                    return 0.5;
                                }
                            },
                            this::replace,
                            SpeculationRules.PRESET);
        }
        return yields;
    }

    /**
     * From now on reduces' containers may become maps'.
     *
     * @param taker whose they become
     */
    ContainerHandover handover(Supplier<TaskAttemptId> taker) {
        return handover(taker, this::handOver);
    }

    private boolean handOver(
            TaskAttemptId reduce, TaskAttemptId map, boolean asks, BooleanSupplier wanted) {
        return AllocatorDoor.handOver(allocator, reduce, map, asks, wanted);
    }

    /** The same; whose they become is what {@link #yields} decides. */
    ContainerHandover handoverByYields() {
        return handover(yields()::taker, this::handOver);
    }

    /**
     * The same.
     *
     * @param door stands before the allocator
     */
    ContainerHandover handover(Supplier<TaskAttemptId> taker, ContainerHandover.Allocator door) {
        return handover((reduce, host) -> Optional.of(taker.get()), door);
    }

    private ContainerHandover handover(
            BiFunction<TaskAttemptId, String, Optional<TaskAttemptId>> takers,
            ContainerHandover.Allocator door) {
        ContainerHandover handover =
                new ContainerHandover(
                        placement(), takers, door, executor, getContext().getClock(), this::send);
        dispatcher().connect(handover);
        return handover;
    }

    @Override
    void repeatRequests() {
        executor.execute(() -> AllocatorDoor.repeatRequests(allocator));
    }

    @Override
    protected void serviceStop() throws Exception {
        executor.shutdownNow();
        super.serviceStop();
    }

    private boolean replace(ContainerRequestEvent urgent, TaskAttemptId reduce, Runnable asked) {
        boolean replaced = AllocatorDoor.replace(allocator, urgent, reduce);
        if (replaced) {
            // One may have been under way.
            int before = manager.responses;
            await().until(() -> manager.responses > before + 1);
            asked.run();
        }
        return replaced;
    }

    @Override
    void cleaned(TaskAttemptId attempt) {
        ContainerId container = launched.get(attempt).getContainerID();
        if (held.isPresent()) {
            held.get().add(container);
        } else {
            manager.ended(container);
        }
    }

    /**
     * From now on the ResourceManager doesn't hear which containers of killed attempts are free.
     */
    void holdContainers() {
        held = Optional.of(new ConcurrentLinkedQueue<>());
    }

    /** It hears of all. */
    void releaseContainers() {
        Queue<ContainerId> free = held.orElseThrow();
        held = Optional.empty();
        free.forEach(manager::ended);
    }

    /** The attempt has done its work, and its process has ended. */
    void succeed(TaskAttemptId attempt) {
        tell(attempt, TaskAttemptEventType.TA_DONE);
        manager.ended(launched.get(attempt).getContainerID());
    }

    /**
     * From now on containers are given to what is asked for at that priority only, as one is that
     * was reserved for it.
     */
    void grantOnly(int priority) {
        manager.grantOnly(p -> p == priority);
    }

    /** Again to all, by priority. */
    void grantAll() {
        manager.grantOnly(p -> true);
    }

    /** There is one more on that host. */
    void addContainer(String host) {
        manager.addContainer(host);
    }

    /** How often the ResourceManager has answered. */
    int exchanges() {
        return manager.responses;
    }

    /** What is asked for at a priority, anywhere. */
    int asked(int priority) {
        return manager.asked(priority, ResourceRequest.ANY);
    }

    private final class Manager implements ApplicationMasterProtocol {
        private static final int MEGABYTES = 4096;

        private final List<String> free;
        private final Map<ContainerId, String> taken = new HashMap<>();
        private final List<ContainerId> ended = new ArrayList<>();
        private final Set<String> blacklist = new HashSet<>();
        private final TreeMap<Integer, Map<String, ResourceRequest>> asks = new TreeMap<>();
        private IntPredicate served = priority -> true;
        private int granted;
        private volatile int responses;

        Manager(String... hosts) {
            free = new ArrayList<>(List.of(hosts));
        }

        @Override
        public RegisterApplicationMasterResponse registerApplicationMaster(
                RegisterApplicationMasterRequest request) {
            RegisterApplicationMasterResponse response =
                    Records.newRecord(RegisterApplicationMasterResponse.class);
            response.setMaximumResourceCapability(Resource.newInstance(MEGABYTES, 1));
            response.setApplicationACLs(Map.of());
            response.setQueue("default");
            response.setSchedulerResourceTypes(EnumSet.of(SchedulerResourceTypes.MEMORY));
            return response;
        }

        @Override
        public FinishApplicationMasterResponse finishApplicationMaster(
                FinishApplicationMasterRequest request) {
            return FinishApplicationMasterResponse.newInstance(true);
        }

        @Override
        public synchronized AllocateResponse allocate(AllocateRequest request) {
            for (ResourceRequest ask : request.getAskList()) {
                asks.computeIfAbsent(ask.getPriority().getPriority(), any -> new HashMap<>())
                        .put(ask.getResourceName(), ResourceRequest.clone(ask));
            }
            request.getReleaseList().forEach(this::ended);
            ResourceBlacklistRequest changes = request.getResourceBlacklistRequest();
            blacklist.addAll(changes.getBlacklistAdditions());
            changes.getBlacklistRemovals().forEach(blacklist::remove);
            AllocateResponse response = Records.newRecord(AllocateResponse.class);
            responses++;
            response.setResponseId(responses);
            response.setAllocatedContainers(grant());
            response.setCompletedContainersStatuses(
                    ended.stream()
                            .map(
                                    id ->
                                            ContainerStatus.newInstance(
                                                    id, ContainerState.COMPLETE, "", 0))
                            .toList());
            ended.clear();
            response.setAvailableResources(Resource.newInstance(free.size() * MEGABYTES, 1));
            response.setNumClusterNodes(
                    (int) Stream.concat(free.stream(), taken.values().stream()).distinct().count());
            return response;
        }

        synchronized void grantOnly(IntPredicate priorities) {
            served = priorities;
        }

        synchronized void addContainer(String host) {
            free.add(host);
        }

        private List<Container> grant() {
            List<Container> containers = new ArrayList<>();
            asks.forEach(
                    (priority, byName) -> {
                        while (served.test(priority)
                                && !offered().isEmpty()
                                && asked(priority, ResourceRequest.ANY) > 0) {
                            containers.add(grant(priority, byName));
                        }
                    });
            return containers;
        }

        private List<String> offered() {
            return free.stream().filter(host -> !blacklist.contains(host)).toList();
        }

        private Container grant(int priority, Map<String, ResourceRequest> byName) {
            String host =
                    offered().stream()
                            .filter(one -> asked(priority, one) > 0)
                            .findFirst()
                            .orElse(offered().get(0));
            free.remove(host);
            ResourceRequest any = byName.get(ResourceRequest.ANY);
            any.setNumContainers(any.getNumContainers() - 1);
            ContainerId id =
                    ContainerId.newContainerId(
                            getContext().getApplicationAttemptId(), 100 + granted++);
            taken.put(id, host);
            return Container.newInstance(
                    id,
                    NodeId.newInstance(host, 1),
                    host + ":2",
                    asRead(any.getCapability()),
                    any.getPriority(),
                    null);
        }

        /** What comes from a ResourceManager isn't equal to what it was asked for. */
        private Resource asRead(Resource asked) {
            Resource read = Resources.clone(asked);
            read.getResourceInformation(ResourceInformation.MEMORY_URI)
                    .setMaximumAllocation(MEGABYTES);
            return read;
        }

        synchronized int asked(int priority, String name) {
            ResourceRequest ask = asks.getOrDefault(priority, Map.of()).get(name);
            return ask == null ? 0 : ask.getNumContainers();
        }

        synchronized void ended(ContainerId container) {
            String host = taken.remove(container);
            if (host != null) {
                free.add(host);
                ended.add(container);
            }
        }
    }
}
