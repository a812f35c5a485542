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

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.example.UsersOwn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may be cloned with whom, by what the threads of real tasks looked like. */
class ThreadFactsTest {
    private static final String PARK = "jdk.internal.misc.Unsafe.park";
    private static final String WAIT = "java.lang.Object.wait";
    private static final String SLEEP = "java.lang.Thread.sleep";
    private static final String RUN = "java.lang.Thread.run";
    private static final String INHERITS =
            "org.apache.hadoop.util.concurrent.SubjectInheritingThread.run";
    private static final String MAP_LOOP = "org.apache.hadoop.mapred.MapTask.runNewMapper";
    private static final String CHILD = "org.apache.hadoop.mapred.YarnChild.main";
    private static final String MULTI = "org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper";
    private static final String CHAIN = "org.apache.hadoop.mapreduce.lib.chain.Chain";
    private static final String USERS = "com.acme.Job.work";
    private static final long HOLDER = 77;

    private static ThreadFacts thread(String type, State state, String... frames) {
        return new ThreadFacts(
                1, "t", false, type, state, Optional.of(HOLDER), Arrays.asList(frames));
    }

    private static ThreadFacts plain(State state, String... frames) {
        return thread("java.lang.Thread", state, frames);
    }

    static Stream<ThreadFacts> notTheUsers() {
        return Stream.of(
                // Before its first block it has a default name.
                thread("org.apache.hadoop.hdfs.DataStreamer", State.TIMED_WAITING, WAIT),
                thread(
                        "org.apache.hadoop.util.Daemon",
                        State.RUNNABLE,
                        "org.apache.hadoop.hdfs.PeerCache.run",
                        "org.apache.hadoop.util.Daemon.work",
                        "org.apache.hadoop.util.Daemon.run"),
                plain(
                        State.RUNNABLE,
                        "org.apache.hadoop.security.ssl.FileMonitoringTimerTask.run",
                        "java.util.TimerThread.mainLoop",
                        "java.util.TimerThread.run"),
                plain(
                        State.RUNNABLE,
                        "sun.nio.ch.EPoll.wait",
                        "org.apache.hadoop.ipc.Client$Connection$RpcRequestSender.run",
                        "java.util.concurrent.ThreadPoolExecutor.runWorker",
                        RUN),
                // A merge with a combiner of Hadoop's library.
                thread(
                        "org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl$InMemoryMerger",
                        State.RUNNABLE,
                        "org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer.reduce",
                        "org.apache.hadoop.mapreduce.task.reduce.MergeThread.work",
                        INHERITS),
                new ThreadFacts(
                        2,
                        "Signal Dispatcher",
                        true,
                        "java.lang.Thread",
                        State.RUNNABLE,
                        Optional.empty(),
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void notTheUsers(ThreadFacts thread) {
        assertThat(thread.isUsers()).isFalse();
    }

    static Stream<ThreadFacts> quiet() {
        return Stream.of(
                plain(State.NEW),
                // An idle pool, a timer, a thread that waits for others, one that looks now and
                // then.
                plain(State.WAITING, PARK, "java.util.concurrent.ThreadPoolExecutor.getTask", RUN),
                // The same of threads that Hadoop makes for others, and for us.
                thread(
                        "org.apache.hadoop.util.concurrent.SubjectInheritingThread",
                        State.WAITING,
                        PARK,
                        "java.util.concurrent.ThreadPoolExecutor.getTask",
                        INHERITS),
                plain(State.TIMED_WAITING, WAIT, "java.util.TimerThread.mainLoop", RUN),
                plain(State.WAITING, PARK, USERS, RUN),
                plain(State.TIMED_WAITING, SLEEP, USERS, RUN),
                plain(State.BLOCKED, USERS, RUN),
                plain(State.RUNNABLE, "sun.nio.ch.EPoll.wait", USERS, RUN),
                // HBase is not Hadoop, and may wait as well.
                plain(State.WAITING, PARK, "org.apache.hadoop.hbase.ipc.Client.run", RUN),
                // Readers at the boundary, and those behind them.
                plain(
                        State.WAITING,
                        PARK,
                        "org.apache.hadoop.clone.task.RecordBoundary.pass",
                        "org.apache.hadoop.mapred.MapTask$NewTrackingRecordReader.nextKeyValue",
                        MAP_LOOP,
                        CHILD),
                plain(State.WAITING, WAIT, "java.lang.Thread.join", MULTI + ".run", MAP_LOOP),
                thread(
                        MULTI + "$MapRunner",
                        State.BLOCKED,
                        MULTI + "$SubMapRecordReader.nextKeyValue",
                        INHERITS),
                thread(
                        CHAIN + "$MapRunner",
                        State.WAITING,
                        WAIT,
                        CHAIN + "$ChainBlockingQueue.dequeue",
                        INHERITS),
                // Between shuffle and records.
                plain(
                        State.WAITING,
                        PARK,
                        "org.apache.hadoop.clone.task.Gate.enter",
                        "org.apache.hadoop.clone.task.FetchGate.enter",
                        "org.apache.hadoop.mapred.ReduceTask.runNewReducer",
                        CHILD));
    }

    @ParameterizedTest
    @MethodSource
    void quiet(ThreadFacts thread) {
        assertThat(thread.isUsers()).isTrue();
        assertThat(thread.unrest(Set.of(HOLDER))).isEmpty();
    }

    static Stream<Arguments> restless() {
        return Stream.of(
                Arguments.of(plain(State.RUNNABLE, USERS, RUN), "of com.acme.Job.work runs"),
                Arguments.of(thread("com.acme.Poller", State.RUNNABLE), "of com.acme.Poller runs"),
                Arguments.of(
                        plain(State.RUNNABLE, "java.util.concurrent.ThreadPoolExecutor.getTask"),
                        "its thread 't' runs"),
                // It waits for records, and has one in its hands.
                Arguments.of(
                        thread(MULTI + "$MapRunner", State.TIMED_WAITING, SLEEP, USERS, INHERITS),
                        "sleeps in the midst of a record"),
                Arguments.of(
                        plain(
                                State.WAITING,
                                WAIT,
                                "org.apache.hadoop.ipc.Client.call",
                                "org.apache.hadoop.hdfs.DFSClient.create",
                                USERS,
                                RUN),
                        "is in the midst of org.apache.hadoop.ipc.Client.call"),
                Arguments.of(
                        plain(
                                State.WAITING,
                                PARK,
                                "org.apache.hadoop.clone.task.Gate.enter",
                                "org.apache.hadoop.ipc.Client.call",
                                USERS,
                                RUN),
                        "is in the midst of org.apache.hadoop.clone.task.Gate.enter"),
                // Between two tries to close a file.
                Arguments.of(
                        plain(
                                State.TIMED_WAITING,
                                SLEEP,
                                "org.apache.hadoop.hdfs.DFSOutputStream.completeFile",
                                USERS,
                                RUN),
                        "is in the midst of org.apache.hadoop.hdfs.DFSOutputStream.completeFile"));
    }

    @ParameterizedTest
    @MethodSource
    void restless(ThreadFacts thread, String why) {
        assertThat(thread.isUsers()).isTrue();
        assertThat(thread.unrest(Set.of(HOLDER))).get().asString().contains(why);
    }

    /** When there are no more records; the others are refused before anything is done. */
    @Test
    void threadsOfPoolsAndOfRecordsMayComeToRest() {
        assertThat(
                        Stream.of(
                                plain(
                                        State.RUNNABLE,
                                        USERS,
                                        "java.util.concurrent.ThreadPoolExecutor.runWorker",
                                        RUN),
                                thread(MULTI + "$MapRunner", State.RUNNABLE, USERS, INHERITS),
                                plain(State.RUNNABLE, USERS, MAP_LOOP, CHILD)))
                .allMatch(ThreadFacts::mayComeToRest);
        assertThat(plain(State.RUNNABLE, USERS, RUN).mayComeToRest()).isFalse();
    }

    /** Those that wait are in no list of threads; so nobody can tell whether they rest. */
    @Test
    void carriersOfVirtualThreadsNeverRest() {
        ThreadFacts idle =
                thread(
                        "jdk.internal.misc.CarrierThread",
                        State.WAITING,
                        PARK,
                        "java.util.concurrent.ForkJoinPool.runWorker",
                        "java.util.concurrent.ForkJoinWorkerThread.run");
        assertThat(idle.isUsers()).isTrue();
        assertThat(idle.mayComeToRest()).isFalse();
        assertThat(idle.unrest(Set.of())).get().asString().contains("carries virtual threads");
    }

    /** Nobody holds the monitor, or somebody who will let it go: it is about to run. */
    @Test
    void aThreadThatIsBlockedIsQuietOnlyBehindAQuietOne() {
        ThreadFacts blocked = plain(State.BLOCKED, USERS, RUN);
        assertThat(blocked.unrest(Set.of(HOLDER + 1))).isPresent();
        assertThat(blocked.unrest(Set.of())).isPresent();
    }

    @Test
    void readsTheFactsOfRealThreads() throws Exception {
        Thread waiting = UsersOwn.startWaiting();
        try {
            while (waiting.getState() != State.WAITING) {
                Thread.onSpinWait();
            }
            ThreadFacts facts =
                    Threads.now().stream()
                            .filter(thread -> thread.id() == waiting.getId())
                            .findFirst()
                            .orElseThrow();
            assertThat(facts.isUsers()).isTrue();
            assertThat(facts.unrest(Set.of())).isEmpty();
            assertThat(Threads.now().stream().filter(ThreadFacts::ofJvm))
                    .extracting(ThreadFacts::name)
                    .contains("Reference Handler", "Signal Dispatcher")
                    .doesNotContain("main", waiting.getName());
        } finally {
            LockSupport.unpark(waiting);
            waiting.join();
        }
    }
}
