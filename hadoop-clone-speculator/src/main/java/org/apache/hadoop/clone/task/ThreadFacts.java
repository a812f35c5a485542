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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A thread at one moment, and what it means for a clone (docs/internals/task-side.md, Threads).
 * Judged by whose code it runs and what it waits for, never by its name, which is often a default
 * one.
 *
 * @param ofJvm whether the JVM or the JDK has started it for itself
 * @param type class of the thread's object
 * @param blocker id of the thread that holds the monitor it waits for, if it does
 * @param frames of its stack, the topmost first, as {@code CLASS.METHOD}
 */
record ThreadFacts(
        long id,
        String name,
        boolean ofJvm,
        String type,
        Thread.State state,
        Optional<Long> blocker,
        List<String> frames) {
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** They run what others give them, in the name of others. */
    private static final List<String> CARRIERS =
            List.of(
                    "org.apache.hadoop.util.Daemon",
                    "org.apache.hadoop.util.concurrent.",
                    "org.apache.hadoop.security.UserGroupInformation",
                    "org.apache.hadoop.security.authentication.util.SubjectUtil");

    /** Not all of org.apache.hadoop: there are Hive and HBase, too. */
    private static final List<String> HADOOP =
            Stream.of(
                            "clone",
                            "conf",
                            "crypto",
                            "fs",
                            "hdfs",
                            "io",
                            "ipc",
                            "mapred",
                            "mapreduce",
                            "metrics2",
                            "net",
                            "security",
                            "service",
                            "util",
                            "yarn")
                    .map(name -> "org.apache.hadoop." + name + ".")
                    .toList();

    /** Hadoop's own mappers and reducers are what a user might have written. */
    private static final List<String> LIBRARIES =
            List.of("org.apache.hadoop.mapred.lib.", "org.apache.hadoop.mapreduce.lib.");

    /** In the stack of a task's own thread while user code handles records. */
    private static final Set<String> RECORD_LOOPS =
            Set.of(
                    "org.apache.hadoop.mapred.MapTask.runNewMapper",
                    "org.apache.hadoop.mapred.MapTask.runOldMapper",
                    "org.apache.hadoop.mapred.ReduceTask.runNewReducer",
                    "org.apache.hadoop.mapred.ReduceTask.runOldReducer");

    /** In the stacks of threads that rest when they have no work. */
    private static final Set<String> POOLS =
            Set.of(
                    "java.util.concurrent.ThreadPoolExecutor.runWorker",
                    "java.util.concurrent.ForkJoinWorkerThread.run");

    /** Where a clone's preparation holds threads. */
    private static final Set<String> GATES =
            Set.of(RecordBoundary.class.getName() + ".pass", FetchGate.class.getName() + ".enter");

    /** Waits for descriptors, which are judged by themselves; in no Java state that says so. */
    private static final Set<String> SELECTS = Set.of("sun.nio.ch.EPoll.wait");

    private static final String CALL = "org.apache.hadoop.ipc.Client.call";

    /** Of a pool for virtual threads (JEP 444), which no look at a JVM's threads shows. */
    private static final String CARRIER_OF_VIRTUAL = "jdk.internal.misc.CarrierThread";

    private static boolean begins(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    private static boolean isHadoops(String name) {
        return begins(name, HADOOP) && !begins(name, LIBRARIES);
    }

    private static boolean isAnybodys(String name) {
        return begins(name, JDK) || begins(name, CARRIERS);
    }

    /** Whose code it runs; empty if nothing but the JDK's, as in a pool without work. */
    private Optional<String> owner() {
        Stream<String> fromBottom =
                Stream.iterate(frames.size() - 1, i -> i >= 0, i -> i - 1).map(frames::get);
        return Stream.concat(Stream.of(type), fromBottom)
                .filter(name -> !isAnybodys(name))
                .findFirst();
    }

    /** Whether it may run user code: it handles records, or is neither the JVM's nor Hadoop's. */
    boolean isUsers() {
        return handlesRecords() || !ofJvm && owner().filter(ThreadFacts::isHadoops).isEmpty();
    }

    private boolean handlesRecords() {
        return frames.stream().anyMatch(RECORD_LOOPS::contains)
                || owner().filter(code -> begins(code, LIBRARIES)).isPresent();
    }

    /** Whether it may rest as soon as there are no more records, if it doesn't now. */
    boolean mayComeToRest() {
        return handlesRecords() || !carriesVirtual() && frames.stream().anyMatch(POOLS::contains);
    }

    private boolean carriesVirtual() {
        return type.equals(CARRIER_OF_VIRTUAL);
    }

    /** Whether it has sent an RPC, or is about to. */
    boolean isCalling() {
        return frames.contains(CALL);
    }

    /**
     * Why a clone can't be made as long as this goes on, of a user's thread.
     *
     * @param resting ids of the threads that, if they hold a monitor, go on holding it
     */
    Optional<String> unrest(Set<Long> resting) {
        if (carriesVirtual()) {
            return says("carries virtual threads, which nobody sees");
        }
        if (frames.stream().anyMatch(GATES::contains)) {
            return Optional.empty();
        }
        return switch (state) {
            case NEW, TERMINATED -> Optional.empty();
            case RUNNABLE -> isSelecting() ? Optional.empty() : says("runs");
            case BLOCKED ->
                    blocker.filter(resting::contains).isPresent() ? inMidst() : says("runs");
            case WAITING -> inMidst();
            case TIMED_WAITING ->
                    handlesRecords() ? says("sleeps in the midst of a record") : inMidst();
        };
    }

    private boolean isSelecting() {
        return !frames.isEmpty() && SELECTS.contains(frames.get(0));
    }

    /** Something of Hadoop's that it has begun under its id and hasn't ended. */
    private Optional<String> inMidst() {
        return frames.stream()
                .filter(frame -> !isAnybodys(frame))
                .findFirst()
                .filter(ThreadFacts::isHadoops)
                .flatMap(frame -> says("is in the midst of " + frame));
    }

    private Optional<String> says(String what) {
        String whose = owner().map(code -> " of " + code).orElse("");
        return Optional.of("its thread '" + name + "'" + whose + " " + what);
    }
}
