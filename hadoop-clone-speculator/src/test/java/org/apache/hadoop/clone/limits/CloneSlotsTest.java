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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AppMasters that count their clones together in HDFS. */
class CloneSlotsTest {
    private static final org.apache.hadoop.fs.Path SLOTS =
            new org.apache.hadoop.fs.Path("/clone/slots");

    /** As the preset, but asks again at once, and waits for a loaded machine. */
    private static final LimitTimes TIMES = new LimitTimes(1, 1, 60_000, 0, 30_000, 180_000);

    private static final List<SlotLimit> TWO = List.of(new SlotLimit("cluster", 2));

    private static MiniDFSCluster hdfs;
    private static FileSystem files;

    private final List<CloneSlots> appMasters = new ArrayList<>();

    @BeforeAll
    static void start(@TempDir Path temp) throws IOException {
        hdfs = MiniHdfs.build(new MiniDFSCluster.Builder(new Configuration(), temp.toFile()));
        files = hdfs.getFileSystem();
    }

    @AfterAll
    static void stop() {
        hdfs.shutdown();
    }

    @BeforeEach
    void clear() throws IOException {
        files.delete(SLOTS.getParent(), true);
        files.mkdirs(SLOTS);
        files.setPermission(SLOTS, new FsPermission("1777"));
    }

    @AfterEach
    void end() {
        appMasters.forEach(CloneSlots::stop);
    }

    private CloneSlots appMaster(LimitTimes times) {
        Configuration conf = new Configuration(hdfs.getConfiguration(0));
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        return start(new CloneSlots(new SlotDirectory(conf), times), conf);
    }

    private CloneSlots start(CloneSlots slots, Configuration conf) {
        slots.init(conf);
        slots.start();
        appMasters.add(slots);
        return slots;
    }

    private static TaskId task(int number) {
        return MRBuilderUtils.newTaskId(
                MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), number, TaskType.MAP);
    }

    private static boolean order(CloneSlots slots, int task, List<SlotLimit> caps) {
        List<TaskId> ordered = new ArrayList<>();
        boolean done = slots.order(task(task), caps, () -> ordered.add(task(task)));
        assertThat(ordered).hasSize(done ? 1 : 0);
        return done;
    }

    private static List<String> held() throws IOException {
        return Arrays.stream(files.listStatus(SLOTS))
                .map(file -> file.getPath().getName())
                .sorted()
                .toList();
    }

    /** The first order would wait for no longer than any other, and be refused. */
    @Test
    void theFileSystemIsOpenedBeforeAnOrder() {
        Configuration conf = new Configuration(false);
        conf.setClass(
                "fs.AbstractFileSystem.seen.impl", SeenFileSystem.class, AbstractFileSystem.class);
        conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "seen:///");
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        start(new CloneSlots(new SlotDirectory(conf), TIMES), conf);
        await().until(SeenFileSystem.OPENED::get);
    }

    /** Says that somebody has opened it. */
    public static final class SeenFileSystem extends DelegateToFileSystem {
        static final AtomicBoolean OPENED = new AtomicBoolean();

        public SeenFileSystem(URI uri, Configuration conf) throws IOException, URISyntaxException {
            super(uri, new RawLocalFileSystem(), conf, "seen", false);
            OPENED.set(true);
        }

        @Override
        public int getUriDefaultPort() {
            return -1;
        }
    }

    @Test
    void moreThanTheCapAreNotOrderedAtOnce() throws IOException {
        CloneSlots one = appMaster(TIMES);
        CloneSlots other = appMaster(TIMES);
        assertThat(order(one, 1, TWO)).isTrue();
        assertThat(order(other, 1, TWO)).isTrue();
        assertThat(order(one, 2, TWO)).isFalse();
        assertThat(order(other, 2, TWO)).isFalse();
        assertThat(held()).containsExactly("slot-0-0-cluster", "slot-1-0-cluster");

        one.keepOnly(task -> false);
        await().until(() -> held().size() == 1);
        assertThat(order(other, 3, TWO)).isTrue();
        assertThat(held()).hasSize(2);
    }

    /** Before anybody has looked whether the first one has ended. */
    @Test
    void theSlotsOfATasksNextCloneDoNotTakeThePlaceOfItsLastOnes() throws IOException {
        CloneSlots slots = appMaster(TIMES);
        assertThat(order(slots, 1, TWO)).isTrue();
        assertThat(order(slots, 1, TWO)).isTrue();
        assertThat(held()).hasSize(2);
        slots.keepOnly(task -> false);
        await().until(() -> held().isEmpty());
    }

    @Test
    void anOrderThatFailsHoldsNone() {
        CloneSlots slots = appMaster(TIMES);
        assertThatThrownBy(
                        () ->
                                slots.order(
                                        task(1),
                                        TWO,
                                        () -> {
                                            throw new IllegalStateException("the test wants it");
                                        }))
                .isInstanceOf(IllegalStateException.class);
        await().until(() -> held().isEmpty());
    }

    /** More AppMasters than slots, all at the same moment. */
    @Test
    void aRaceForThemHasNoMoreWinnersThanSlots() throws Exception {
        List<SlotLimit> three = List.of(new SlotLimit("cluster", 3));
        int rivals = 12;
        ExecutorService threads = Executors.newFixedThreadPool(rivals);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Boolean>> won = new ArrayList<>();
        for (CloneSlots slots :
                IntStream.range(0, rivals).mapToObj(i -> appMaster(TIMES)).toList()) {
            won.add(
                    threads.submit(
                            () -> {
                                start.await();
                                return order(slots, 1, three);
                            }));
        }
        start.countDown();
        int winners = 0;
        for (Future<Boolean> one : won) {
            winners += one.get() ? 1 : 0;
        }
        threads.shutdown();
        assertThat(winners).isBetween(1, 3).isEqualTo(held().size());
    }

    @Test
    void aSlotOfEachCapIsNeeded() throws IOException {
        CloneSlots slots = appMaster(TIMES);
        List<SlotLimit> caps = List.of(new SlotLimit("cluster", 5), new SlotLimit("user alice", 1));
        assertThat(order(slots, 1, caps)).isTrue();
        assertThat(order(slots, 2, caps)).isFalse();
        assertThat(held()).as("nothing left of the second").hasSize(2);
        assertThat(order(slots, 2, List.of(new SlotLimit("user alice", 0)))).isFalse();
    }

    /** Its files are another user's, who alone may remove them. */
    @Test
    void whatADeadAppMasterHeldIsAnothersAfterAWhile() throws Exception {
        UserGroupInformation alice =
                UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
        CloneSlots hers =
                alice.doAs((PrivilegedExceptionAction<CloneSlots>) () -> appMaster(TIMES));
        List<SlotLimit> one = List.of(new SlotLimit("cluster", 1));
        assertThat(alice.doAs((PrivilegedExceptionAction<Boolean>) () -> order(hers, 1, one)))
                .isTrue();
        assertThat(order(appMaster(TIMES), 1, one)).isFalse();

        files.setTimes(
                new org.apache.hadoop.fs.Path(SLOTS, "slot-0-0-cluster"), Time.now() - 200_000, -1);
        assertThat(order(appMaster(TIMES), 1, one)).isTrue();
        assertThat(held()).containsExactly("slot-0-0-cluster", "slot-0-1-cluster");
        assertThat(order(appMaster(TIMES), 1, one)).isFalse();
    }

    @Test
    void aHolderShowsThatItLives() throws Exception {
        CloneSlots slots = appMaster(new LimitTimes(1, 1, 60_000, 0, 50, 180_000));
        assertThat(order(slots, 1, List.of(new SlotLimit("cluster", 1)))).isTrue();
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(SLOTS, held().get(0));
        files.setTimes(file, 1, -1);
        await().until(() -> files.getFileStatus(file).getModificationTime() > 1);
    }

    @Test
    void withoutTheDirectoryThereIsNoSlotAndNobodyAsksAgainAtOnce() throws IOException {
        files.delete(SLOTS, true);
        CloneSlots slots = appMaster(new LimitTimes(1, 1, 60_000, 3_600_000, 30_000, 180_000));
        assertThat(order(slots, 1, TWO)).isFalse();
        assertThat(slots.obstacle().orElseThrow()).startsWith("no access to its slots: ");
        files.mkdirs(SLOTS);
        assertThat(order(slots, 1, TWO)).isFalse();
        assertThat(order(slots, 1, List.of())).as("without caps nobody is asked").isTrue();
    }

    /** What comes too late is given back. */
    @Test
    void anOrderWaitsNoLongerThanItsTime() throws Exception {
        CloneSlots slots = appMaster(new LimitTimes(1, 1, 0, 0, 30_000, 180_000));
        for (int task = 0; task < 5; task++) {
            order(slots, task, TWO);
        }
        slots.keepOnly(task -> false);
        await().until(() -> held().isEmpty());
    }

    @Test
    void anAppMasterThatEndsLeavesNothing() throws IOException {
        CloneSlots slots = appMaster(TIMES);
        assertThat(order(slots, 1, TWO)).isTrue();
        slots.stop();
        assertThat(held()).isEmpty();
    }

    @Test
    void aBudgetIsSpentWhenItIsReached() {
        ContainerBudget budget = new ContainerBudget(60);
        assertThat(budget.spent(59_999)).isEmpty();
        assertThat(budget.spent(60_000))
                .contains(
                        "second attempts have had containers for 60 s, of 60 s that this job may"
                                + " have");
        assertThat(new ContainerBudget(0).spent(0)).isPresent();
        assertThat(new ContainerBudget(-1).spent(Long.MAX_VALUE)).isEmpty();
        Configuration conf = new Configuration(false);
        assertThat(ContainerBudget.of(conf).seconds()).isEqualTo(-1);
        conf.set(CloneKeys.MAX_EXTRA_CONTAINER_SECONDS, "an hour");
        assertThat(ContainerBudget.of(conf).seconds()).isZero();
    }
}
