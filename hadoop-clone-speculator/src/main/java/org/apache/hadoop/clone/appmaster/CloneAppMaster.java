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
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.conf.CloneMode;
import org.apache.hadoop.clone.limits.CloneSlots;
import org.apache.hadoop.clone.limits.ContainerBudget;
import org.apache.hadoop.clone.limits.JobShare;
import org.apache.hadoop.clone.limits.JobSwitch;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.metrics.CloneFigures;
import org.apache.hadoop.clone.metrics.CloneMetrics;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.JobSubject;
import org.apache.hadoop.clone.speculate.ReduceYield;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.task.CloneAgent;
import org.apache.hadoop.clone.task.HookedClasses;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.StartListener;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.AppMasterDoor;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.util.MRWebAppUtil;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.util.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stock's AppMaster with {@link CloneSpeculator}, a clone service for its tasks, and hooks where
 * attempts are placed and launched. With {@code mapreduce.clone.mode=off} it is stock's, no more.
 *
 * <p>Its name stands last in {@code yarn.app.mapreduce.am.command-opts}, so that the stock class's
 * name behind it becomes an argument.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public class CloneAppMaster extends MRAppMaster {
    private static final Logger LOG = LoggerFactory.getLogger(CloneAppMaster.class);
    private static final long TICK_MILLIS = 500;
    private static final String AS_STOCK = "No clones in this job, which runs as stock's: ";

    private final String host;

    /** Why nothing of ours runs here. */
    private final Optional<String> obstacle;

    private final Orders orders = new Orders();
    private final LaunchSecrets secrets = new LaunchSecrets();
    private final CloneDispatcher cloneDispatcher = new CloneDispatcher();
    private ScheduledExecutorService clock;
    private ScheduledExecutorService yieldClock;
    private ContainerAllocator allocator;
    private AttemptPlacement placement;
    private HurriedAllocation hurried;
    private Optional<ReduceYields> yields = Optional.empty();
    private Optional<ContainerHandover> handover = Optional.empty();
    private CloneCoordinator coordinator;
    private CloneService service;
    private Optional<SpillService> spills = Optional.empty();
    private CloneSpeculator speculator;
    private Optional<CostMemory> memory = Optional.empty();
    private Optional<CloneSlots> slots = Optional.empty();
    private Optional<JobShare> share = Optional.empty();

    /** As stock's. */
    public CloneAppMaster(
            ContainerId container, String host, int port, int httpPort, long submitMillis) {
        this(container, host, port, httpPort, submitMillis, obstacleHere());
    }

    CloneAppMaster(
            ContainerId container,
            String host,
            int port,
            int httpPort,
            long submitMillis,
            Optional<String> obstacle) {
        super(container.getApplicationAttemptId(), container, host, port, httpPort, submitMillis);
        this.host = host;
        this.obstacle = obstacle;
    }

    /** In this process, or in tasks with the same Hadoop. */
    private static Optional<String> obstacleHere() {
        ClassLoader hadoop = CloneAppMaster.class.getClassLoader();
        try {
            Optional<String> ofTasks = HookedClasses.obstacle(hadoop);
            return ofTasks.isPresent() ? ofTasks : HadoopLine.obstacleToAppMasters(hadoop);
        } catch (IOException | RuntimeException | LinkageError e) {
            return Optional.of(e.toString());
        }
    }

    private boolean isOn() {
        return mode() == CloneMode.ON;
    }

    private CloneMode mode() {
        return isStock() ? CloneMode.OFF : wantedMode();
    }

    /** Whether nothing of ours is to run, whatever the mode. */
    private boolean isStock() {
        return obstacle.isPresent() || !share().has(TypeConverter.fromYarn(getAppID()).toString());
    }

    private JobShare share() {
        if (share.isEmpty()) {
            share = Optional.of(JobShare.of(getConfig()));
        }
        return share.get();
    }

    private CloneMode wantedMode() {
        try {
            return CloneMode.of(getConfig());
        } catch (IllegalArgumentException e) {
            LOG.error("No clones: {}", e.getMessage());
            return CloneMode.OFF;
        }
    }

    @Override
    protected Dispatcher createDispatcher() {
        return isOn() ? cloneDispatcher : super.createDispatcher();
    }

    @Override
    protected Speculator createSpeculator(Configuration conf, AppContext context) {
        if (isStock() && isOurs(conf.get(MRJobConfig.MR_AM_JOB_SPECULATOR))) {
            return new DefaultSpeculator(conf, context);
        }
        if (!isOn()) {
            return super.createSpeculator(conf, context);
        }
        // Its estimator may be the user's.
        speculator =
                AppMasterDoor.withJobClasses(
                        this, conf, own -> newSpeculator(own, context, limited(own, context)));
        return speculator;
    }

    // Where spills are encrypted their key is MRAppMaster's own, and first reports must do.
    @Override
    protected TaskAttemptListener createTaskAttemptListener(
            AppContext context, AMPreemptionPolicy preemption) {
        return isOn() && !CryptoUtils.isEncryptedSpillEnabled(getConfig())
                ? new StartListener(
                        context, jobTokenSecretManager, getRMHeartbeatHandler(), preemption)
                : super.createTaskAttemptListener(context, preemption);
    }

    private Cloner limited(Configuration conf, AppContext context) {
        CloneCoordinator leader = coordinator(conf, context);
        return new LimitedCloner(
                leader, slots, ContainerBudget.of(conf), cloneDispatcher::extraMillis);
    }

    private static boolean isOurs(String speculator) {
        return CloneSpeculator.class.getName().equals(speculator);
    }

    /** For an AppMaster that wants to know what its speculator is told. */
    protected CloneSpeculator newSpeculator(Configuration conf, AppContext context, Cloner cloner) {
        return new CloneSpeculator(conf, context, cloner);
    }

    @Override
    protected ClientService createClientService(AppContext context) {
        return isOn()
                ? new PagedClientService(context, this::figures)
                : super.createClientService(context);
    }

    /** Asks nobody but ourselves. */
    private CloneFigures figures() {
        CloneCoordinator leader = coordinator(getConfig(), getContext());
        Permission permission = leader.permission();
        return new CloneFigures(
                TypeConverter.fromYarn(getAppID()).toString(),
                permission.toString(),
                permission.isOn(),
                Optional.ofNullable(speculator)
                        .map(known -> known.counts().byName())
                        .orElseGet(Map::of),
                leader.underWay(),
                leader.counted(),
                cloneDispatcher.extraMillis(),
                leader.register().reasons(),
                leader.register().rows());
    }

    @Override
    protected ContainerAllocator createContainerAllocator(
            ClientService client, AppContext context) {
        allocator = super.createContainerAllocator(client, context);
        return allocator;
    }

    @Override
    protected ContainerLauncher createContainerLauncher(AppContext context) {
        ContainerLauncher stock = withSpills(super.createContainerLauncher(context), context);
        if (!isOn()) {
            return stock;
        }
        CloneCoordinator leader = coordinator(getConfig(), context);
        placement =
                new AttemptPlacement(
                        context,
                        leader::isClone,
                        avoidsSlowHosts(),
                        PlacementRules.PRESET.reportedEach(
                                MRJobConfUtil.getTaskProgressReportInterval(getConfig())),
                        leader.hostClasses(),
                        leader);
        hurried =
                new HurriedAllocation(
                        () -> AppMasterDoor.heartbeat(allocator),
                        placement::isAwaiting,
                        new HeartbeatAllowance(heartbeatMillis(), Time::monotonicNow),
                        HadoopExecutors.newSingleThreadScheduledExecutor());
        yields =
                Optional.ofNullable(speculator)
                        .filter(known -> ReduceYield.isWanted(getConfig()))
                        .map(
                                known ->
                                        new ReduceYields(
                                                context,
                                                placement,
                                                known,
                                                this::replace,
                                                SpeculationRules.PRESET));
        // It waits for the allocator, which may be waiting for the ResourceManager: clones'
        // time-outs and operators' switch don't.
        yieldClock = HadoopExecutors.newSingleThreadScheduledExecutor();
        cloneDispatcher.connect(context, leader, placement, hurried::begin, this::repeatRequests);
        handover = yields.map(reduces -> handover(reduces, context));
        handover.ifPresent(cloneDispatcher::connect);
        service = new CloneService(host, orders, leader);
        addService(service);
        leader.connect(this::rescore, stock::handle);
        return new CloneLauncher(stock, leader, new Marks());
    }

    private ContainerHandover handover(ReduceYields reduces, AppContext context) {
        return new ContainerHandover(
                placement,
                reduces::taker,
                (reduce, map, asks, wanted) ->
                        AppMasterDoor.handOver(allocator, reduce, map, asks, wanted),
                yieldClock,
                new MonotonicClock(),
                event -> context.getEventHandler().handle(event));
    }

    private boolean avoidsSlowHosts() {
        return getConfig()
                .getBoolean(CloneKeys.AVOID_SLOW_HOSTS, CloneKeys.AVOID_SLOW_HOSTS_DEFAULT);
    }

    private long heartbeatMillis() {
        return getConfig()
                .getLong(
                        MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS,
                        MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS);
    }

    private Optional<CloneScore> rescore(TaskAttemptId original, long sinceLaunchMillis) {
        return Optional.ofNullable(speculator)
                .flatMap(known -> known.rescore(original, sinceLaunchMillis));
    }

    private void repeatRequests() {
        try {
            yieldClock.execute(
                    Harmless.lasting(
                            () -> {
                                AppMasterDoor.repeatRequests(allocator);
                                hurried.begin();
                            }));
        } catch (RejectedExecutionException e) {
            LOG.debug("The job ends: nothing is asked for any more", e);
        }
    }

    private boolean replace(ContainerRequestEvent urgent, TaskAttemptId reduce, Runnable asked) {
        boolean replaced = AppMasterDoor.replace(allocator, urgent, reduce);
        if (replaced) {
            hurried.exchange(asked);
            hurried.begin();
        }
        return replaced;
    }

    private ContainerLauncher withSpills(ContainerLauncher stock, AppContext context) {
        if (!SpillService.isWanted(getConfig())) {
            return stock;
        }
        if (mode() == CloneMode.OFF) {
            if (obstacle.isPresent() && getAttemptID().getAttemptId() > 1) {
                // The one before may have been where there was none.
                getDispatcher().register(JobEventType.class, new UnservedSpills(context));
            }
            return stock;
        }
        SpillService service = new SpillService(host, context);
        spills = Optional.of(service);
        addService(service);
        getDispatcher().register(JobEventType.class, service);
        return new SpillLauncher(stock, service, secrets);
    }

    /** The same whoever asks first; without speculation nobody orders anything of it. */
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
            JobSwitch.of(conf, () -> JobSubject.of(context), this::switched)
                    .ifPresent(operators -> obey(conf, operators));
        }
        return coordinator;
    }

    private void obey(Configuration conf, JobSwitch operators) {
        addService(operators);
        coordinator.obey(operators::permission);
        CloneSlots shared = CloneSlots.of(conf);
        addService(shared);
        slots = Optional.of(shared);
    }

    private void switched(boolean on) {
        new CloneJournal(getContext())
                .count(on ? CloneCounter.SWITCHED_ON : CloneCounter.SWITCHED_OFF, 1);
    }

    @Override
    protected void serviceStart() throws Exception {
        super.serviceStart();
        if (obstacle.isPresent() && wantedMode() != CloneMode.OFF) {
            tell(AS_STOCK + obstacle.get());
        } else if (isStock()) {
            LOG.info("{}it isn't one of the {}", AS_STOCK, share());
        } else if (isOn() && speculator == null) {
            LOG.info(
                    "{}neither {} nor {} is true",
                    AS_STOCK,
                    MRJobConfig.MAP_SPECULATIVE,
                    MRJobConfig.REDUCE_SPECULATIVE);
        }
        if (coordinator != null) {
            Harmless.run(this::startOurs);
        }
    }

    private void startOurs() {
        clock = HadoopExecutors.newSingleThreadScheduledExecutor();
        onEachTick(coordinator::tick);
        onEachTick(cloneDispatcher::askAgain);
        onEachTick(placement::sortHosts);
        slots.ifPresent(shared -> onEachTick(() -> shared.keepOnly(coordinator::isUnderWay)));
        yields.ifPresent(reduces -> onEachTick(yieldClock, () -> look(reduces)));
        handover.ifPresent(known -> onEachTick(known::tick));
        // What fails from here on leaves no clone without its time-outs.
        yieldClock.execute(() -> Harmless.run(this::withholdHosts));
        memory =
                CostMemory.of(
                        getConfig(),
                        CloneSpeculator.configuredCosts(getConfig()),
                        coordinator.learned());
        memory.ifPresent(CostMemory::recall);
        show();
    }

    /** A job needs no metrics. */
    private void show() {
        try {
            DefaultMetricsSystem.instance()
                    .register(
                            CloneMetrics.NAME,
                            "This job's clones",
                            new CloneMetrics(this::figures));
        } catch (RuntimeException e) {
            LOG.warn("There are no metrics of clones: {}", e.toString());
        }
    }

    private void withholdHosts() {
        AppMasterDoor.speakThrough(
                allocator,
                stock -> new WithholdingProtocol(stock, this::withheldHosts, this::clusterHas));
    }

    private void clusterHas(int nodes) {
        placement.clusterHas(nodes);
        coordinator.clusterHas(nodes);
    }

    private Set<String> withheldHosts() {
        return coordinator.permission().isOn() ? placement.withheld() : Set.of();
    }

    private void look(ReduceYields reduces) {
        if (coordinator.permission().isOn()) {
            reduces.look();
        }
    }

    private void tell(String impossible) {
        LOG.error(impossible);
        CloneJournal journal = new CloneJournal(getContext());
        journal.diagnose(impossible);
        journal.count(CloneCounter.CLONES_IMPOSSIBLE, 1);
    }

    private void onEachTick(Runnable look) {
        onEachTick(clock, look);
    }

    private static void onEachTick(ScheduledExecutorService clock, Runnable look) {
        clock.scheduleWithFixedDelay(
                Harmless.lasting(look), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void serviceStop() throws Exception {
        Harmless.run(this::stopOurs);
        super.serviceStop();
    }

    private void stopOurs() {
        if (clock != null) {
            DefaultMetricsSystem.instance().unregisterSource(CloneMetrics.NAME);
            clock.shutdownNow();
        }
        if (yieldClock != null) {
            yieldClock.shutdownNow();
        }
        if (hurried != null) {
            hurried.close();
        }
        memory.ifPresent(CostMemory::keep);
    }

    /** What tasks are launched with. */
    private final class Marks implements CloneLauncher.TaskMarks {
        @Override
        public String address() {
            return service.address();
        }

        /** A framework that was localized is at another path in each container, but below it. */
        @Override
        public String agentJar() {
            Path jar = Path.of(ClassUtil.findContainingJar(CloneAgent.class));
            Path here = Path.of("").toAbsolutePath();
            return jar.startsWith(here) ? "$PWD/" + here.relativize(jar) : jar.toString();
        }

        @Override
        public boolean perSpill() {
            return spills.filter(SpillService::isReachable).isPresent();
        }

        @Override
        public void firstLaunch(ContainerLaunchContext container) throws IOException {
            service.accept(TypeConverter.fromYarn(getJobId()).toString(), secrets.learn(container));
        }
    }

    /** As stock's, with this class. */
    public static void main(String[] arguments) {
        run(CloneAppMaster::new, arguments);
    }

    /** Makes an AppMaster of the given class. */
    protected interface Maker {
        /** As {@link #CloneAppMaster}. */
        CloneAppMaster make(
                ContainerId container, String host, int port, int httpPort, long submitMillis);
    }

    /**
     * What {@code main} does: runs the AppMaster in this process, whose environment says which.
     *
     * @param arguments of {@code main}
     */
    protected static void run(Maker maker, String[] arguments) {
        CloneAppMaster appMaster;
        try {
            AppMasterDoor.markMainStarted();
            appMaster = made(maker);
        } catch (RuntimeException | LinkageError e) {
            LOG.error(AS_STOCK, e);
            MRAppMaster.main(arguments);
            return;
        }
        try {
            appMaster.run();
        } catch (Throwable e) {
            LOG.error("Error starting the AppMaster", e);
            ExitUtil.terminate(1, e);
        }
    }

    private static CloneAppMaster made(Maker maker) {
        return maker.make(
                ContainerId.fromString(environment(Environment.CONTAINER_ID)),
                environment(Environment.NM_HOST),
                Integer.parseInt(environment(Environment.NM_PORT)),
                Integer.parseInt(environment(Environment.NM_HTTP_PORT)),
                Long.parseLong(environment(ApplicationConstants.APP_SUBMIT_TIME_ENV)));
    }

    private void run() throws IOException, InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(new YarnUncaughtExceptionHandler());
        CallerContext.setCurrent(
                new CallerContext.Builder("mr_appmaster_" + getAttemptID()).build());
        ShutdownHookManager.get()
                .addShutdownHook(AppMasterDoor.shutdownHook(this), SHUTDOWN_HOOK_PRIORITY);
        JobConf conf = new JobConf(new YarnConfiguration());
        conf.addResource(new org.apache.hadoop.fs.Path(MRJobConfig.JOB_CONF_FILE));
        MRWebAppUtil.initialize(conf);
        String user = environment(Environment.USER);
        conf.set(MRJobConfig.USER_NAME, user);
        initAndStartAppMaster(this, conf, user);
    }

    private static String environment(Environment variable) {
        return environment(variable.name());
    }

    private static String environment(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalStateException(
                    variable + " isn't set: this is started by a NodeManager only");
        }
        return value;
    }
}
