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
package org.apache.hadoop.clone.hdfs.read;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all clients of a JVM share: the threads that read duplicates, the one that knows when they
 * are due, and the memory that they fill. Threads end when nothing has been to do for a while.
 */
final class DuplicateThreads {
    private static final Duration READERS_IDLE = Duration.ofSeconds(2);

    /** It is started by a caller's read. */
    private static final Duration TIMER_IDLE = Duration.ofSeconds(10);

    /** A buffer may still be read by its caller when its thread fills the next. */
    private static final int BUFFERS_PER_THREAD = 2;

    /**
     * While all threads wait for DataNodes, most others aren't needed any more when one is free.
     */
    private static final int WAITING_PER_THREAD = 4;

    /**
     * By how many they are and their windows' size. Not by a record, whose hash takes a new JVM 12
     * ms.
     */
    private static final Map<List<Integer>, DuplicateThreads> SHARED = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor readers;
    private final ThreadPoolExecutor ofFiles;
    private final RaceTimer timer;
    private final DuplicateMemory memory;

    private DuplicateThreads(int threads, long windowBytes) {
        readers =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        READERS_IDLE.toSeconds(),
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(
                                (int)
                                        Math.min(
                                                Integer.MAX_VALUE,
                                                (long) WAITING_PER_THREAD * threads)),
                        daemons("duplicate read "));
        readers.allowCoreThreadTimeOut(true);
        ofFiles =
                new ThreadPoolExecutor(
                        0,
                        threads,
                        READERS_IDLE.toSeconds(),
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        daemons("local read "));
        timer = new RaceTimer(daemons("duplicate reads' timer "), TIMER_IDLE);
        memory = new DuplicateMemory((long) BUFFERS_PER_THREAD * threads * windowBytes);
    }

    /** Clients with as many, and windows as large, have the same ones. */
    static DuplicateThreads of(ReadSettings settings) {
        return SHARED.computeIfAbsent(
                List.of(settings.threads(), settings.windowBytes()),
                unused -> new DuplicateThreads(settings.threads(), settings.windowBytes()));
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + number.incrementAndGet());
            thread.setDaemon(true);
            // Not that of whoever happens to be the first to need it: it would never be unloaded.
            thread.setContextClassLoader(DuplicateThreads.class.getClassLoader());
            return thread;
        };
    }

    /**
     * As soon as a thread is free.
     *
     * @return whether there will be one: too many may wait for it, or the system have no more
     */
    boolean execute(Runnable read) {
        try {
            readers.execute(read);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * It isn't needed any more.
     *
     * @return whether it hasn't begun, and never will
     */
    boolean remove(Runnable read) {
        return readers.remove(read);
    }

    /** Those that read files of this host. They refuse where all wait for a disk. */
    Executor ofFiles() {
        return ofFiles;
    }

    RaceTimer timer() {
        return timer;
    }

    /** What they fill. */
    DuplicateMemory memory() {
        return memory;
    }
}
