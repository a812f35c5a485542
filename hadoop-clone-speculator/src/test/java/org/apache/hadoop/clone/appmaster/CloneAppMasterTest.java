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

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.limits.CloneSlots;
import org.apache.hadoop.clone.limits.JobSwitch;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the AppMaster is made of, by {@code mapreduce.clone.mode}. */
class CloneAppMasterTest {
    private static final ContainerId CONTAINER =
            ContainerId.newContainerId(
                    ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);

    private final Configuration conf = new Configuration();
    private final AppContext context = mock(AppContext.class);
    private final ClientService client = mock(ClientService.class);

    @BeforeEach
    void wind() {
        when(context.getClock()).thenReturn(SystemClock.getInstance());
    }

    /** Stock's, where a test can see what it is made of. */
    private final class StockAppMaster extends MRAppMaster {
        StockAppMaster() {
            super(CONTAINER.getApplicationAttemptId(), CONTAINER, "h1", 1, 2, 3);
        }

        Map<String, Class<?>> parts() {
            return Map.of(
                    "dispatcher", createDispatcher().getClass(),
                    "speculator", createSpeculator(conf, context).getClass(),
                    "allocator", createContainerAllocator(client, context).getClass(),
                    "launcher", createContainerLauncher(context).getClass());
        }
    }

    private Map<String, Class<?>> parts(CloneAppMaster appMaster) {
        return Map.of(
                "dispatcher", appMaster.createDispatcher().getClass(),
                "speculator", appMaster.createSpeculator(conf, context).getClass(),
                "allocator", appMaster.createContainerAllocator(client, context).getClass(),
                "launcher", appMaster.createContainerLauncher(context).getClass());
    }

    /** With its configuration, and not more: the rest of what init does needs a cluster. */
    private <A extends MRAppMaster> A configured(A appMaster) throws ReflectiveOperationException {
        Method setConfig =
                AbstractService.class.getDeclaredMethod("setConfig", Configuration.class);
        setConfig.setAccessible(true);
        setConfig.invoke(appMaster, conf);
        return appMaster;
    }

    private CloneAppMaster ours() throws ReflectiveOperationException {
        return configured(new CloneAppMaster(CONTAINER, "h1", 1, 2, 3));
    }

    /** A wrong value costs the clones, and not the job. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "shadow", "perhaps"})
    void unlessClonesAreOnItIsMadeOfStocksParts(String mode) throws Exception {
        conf.set(CloneKeys.MODE, mode);
        CloneAppMaster ours = ours();
        int services = ours.getServices().size();
        assertThat(parts(ours)).isEqualTo(configured(new StockAppMaster()).parts());
        assertThat(ours.getServices()).as("nothing that listens").hasSize(services);
    }

    @Test
    void offMeansPerSpillOutputsToo() throws Exception {
        conf.set(CloneKeys.MODE, "off");
        conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SpillShuffle.class.getName());
        assertThat(SpillService.isWanted(conf)).isTrue();
        CloneAppMaster ours = ours();
        assertThat(parts(ours)).isEqualTo(configured(new StockAppMaster()).parts());
    }

    @Test
    void aJobThatIsNotOneOfThePercentIsMadeOfStocksParts() throws Exception {
        conf.set(CloneKeys.MODE, "on");
        Class<?> stocksLauncher = configured(new StockAppMaster()).parts().get("launcher");
        conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, CloneSpeculator.class.getName());
        for (String percent : List.of("0", "some")) {
            conf.set(CloneKeys.PERCENT_OF_JOBS, percent);
            CloneAppMaster ours = ours();
            int services = ours.getServices().size();
            assertThat(parts(ours))
                    .containsEntry("speculator", DefaultSpeculator.class)
                    .containsEntry("launcher", stocksLauncher);
            assertThat(ours.getServices()).as("nothing that listens").hasSize(services);
        }
    }

    @Test
    void nothingLooksAtASwitchThatNoKeyNames() throws Exception {
        conf.set(CloneKeys.MODE, "on");
        CloneAppMaster without = ours();
        parts(without);
        assertThat(without.getServices())
                .noneMatch(JobSwitch.class::isInstance)
                .noneMatch(CloneSlots.class::isInstance);
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        CloneAppMaster with = ours();
        parts(with);
        assertThat(with.getServices())
                .anyMatch(JobSwitch.class::isInstance)
                .anyMatch(CloneSlots.class::isInstance);
    }

    /** Nobody knows what its tasks, or it itself, would do otherwise. */
    @Test
    void onAHadoopThatIsNotKnownItIsMadeOfStocksParts() throws Exception {
        conf.set(CloneKeys.MODE, "on");
        conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SpillShuffle.class.getName());
        CloneAppMaster ours =
                configured(
                        new CloneAppMaster(
                                CONTAINER, "h1", 1, 2, 3, Optional.of("this Hadoop has no call")));
        int services = ours.getServices().size();
        assertThat(parts(ours)).isEqualTo(configured(new StockAppMaster()).parts());
        assertThat(ours.getServices()).as("nothing that listens").hasSize(services);
    }

    @Test
    void onItTakesItsPlaceInAllOfThemButTheAllocator() throws Exception {
        conf.set(CloneKeys.MODE, "on");
        assertThat(parts(ours()))
                .containsEntry("dispatcher", CloneDispatcher.class)
                .containsEntry("launcher", CloneLauncher.class)
                .containsEntry(
                        "allocator", configured(new StockAppMaster()).parts().get("allocator"));
    }

    /** With {@code mapreduce.job.classloader} a job's own estimator is nowhere else. */
    @Test
    void itsSpeculatorFindsWhatOnlyTheJobsClassLoaderHas() throws Exception {
        ClassLoader ofJob = new URLClassLoader(new URL[0], getClass().getClassLoader());
        AtomicReference<ClassLoader> used = new AtomicReference<>();
        conf.set(CloneKeys.MODE, "on");
        CloneAppMaster ours =
                configured(
                        new CloneAppMaster(CONTAINER, "h1", 1, 2, 3) {
                            @Override
                            protected CloneSpeculator newSpeculator(
                                    Configuration own, AppContext context, Cloner cloner) {
                                used.set(own.getClassLoader());
                                return super.newSpeculator(own, context, cloner);
                            }
                        });
        Field jobClassLoader = MRAppMaster.class.getDeclaredField("jobClassLoader");
        jobClassLoader.setAccessible(true);
        jobClassLoader.set(ours, ofJob);
        ours.createSpeculator(conf, context);
        assertThat(used).hasValue(ofJob);
        assertThat(conf.getClassLoader()).as("afterwards").isNotSameAs(ofJob);
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        AtomicInteger looks = new AtomicInteger();
        Runnable look =
                Harmless.lasting(
                        () -> {
                            looks.incrementAndGet();
                            throw new IllegalStateException("not now");
                        });
        look.run();
        look.run();
        assertThat(looks).hasValue(2);
    }

    @Test
    void aWrongNumberDoesNotKeepItFromBeingMade() throws Exception {
        conf.set(CloneKeys.MODE, "on");
        conf.set(CloneKeys.MAX_FAILURES, "three");
        conf.set(CloneKeys.TIME_LIMIT, "2 mins");
        conf.set(CloneKeys.VM_MILLIS, "0");
        assertThat(parts(ours())).containsEntry("launcher", CloneLauncher.class);
    }
}
