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
import java.util.PriorityQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells races when their time has come, whose callers can't notice that themselves: they connect,
 * or their duplicate has been complete for too short a while. A wait for a DataNode's bytes isn't
 * timed here (see {@link PatientPeer}): with a race every third of a millisecond the thread would
 * wake every millisecond, for none of them.
 *
 * <p>One that is over isn't taken out, and wakes nobody: it is dropped when the thread comes by,
 * for another or because it has slept for as long as it waits for work.
 */
final class RaceTimer {
    /** Whoever waits for a time. */
    interface Sleeper {
        /** Its time doesn't matter any more. */
        boolean isOver();

        /** Its time has come. To be quick, and not to fail. */
        void wake();
    }

    private record Alarm(long atNanos, Sleeper sleeper) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            return Long.compare(atNanos - other.atNanos, 0);
        }
    }

    private final ThreadFactory threads;
    private final long idleNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private boolean running;
    private long alarmsSet;

    /**
     * @param idle for how long its thread waits for work
     */
    RaceTimer(ThreadFactory threads, Duration idle) {
        this.threads = threads;
        this.idleNanos = idle.toNanos();
    }

    /** Wakes it once, if it isn't over by then. */
    void set(Sleeper sleeper, long afterNanos) {
        Alarm alarm = new Alarm(System.nanoTime() + afterNanos, sleeper);
        lock.lock();
        try {
            alarms.add(alarm);
            alarmsSet++;
            if (!running) {
                threads.newThread(this::run).start();
                running = true;
            } else if (alarms.peek() == alarm) {
                earlier.signal();
            }
        } catch (OutOfMemoryError e) {
            // The system has no more threads. What is timed here can be done without.
            alarms.remove(alarm);
        } finally {
            lock.unlock();
        }
    }

    /** For how many it has ever been asked: each may wake its thread. */
    long alarmsSet() {
        lock.lock();
        try {
            return alarmsSet;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean ended = false;
        try {
            for (Sleeper due = next(); due != null; due = next()) {
                due.wake();
            }
            ended = true;
        } finally {
            if (!ended) {
                stopped();
            }
        }
    }

    /** Another thread follows with the next race. */
    private void stopped() {
        lock.lock();
        try {
            running = false;
        } finally {
            lock.unlock();
        }
    }

    /** Null if there was none for long. */
    private Sleeper next() {
        lock.lock();
        try {
            long idleSince = System.nanoTime();
            while (true) {
                while (!alarms.isEmpty() && alarms.peek().sleeper().isOver()) {
                    alarms.poll();
                }
                long now = System.nanoTime();
                long wait =
                        alarms.isEmpty()
                                ? idleNanos - (now - idleSince)
                                : alarms.peek().atNanos() - now;
                if (wait <= 0) {
                    running = !alarms.isEmpty();
                    return running ? alarms.poll().sleeper() : null;
                }
                // What is due in an hour may be over long before.
                earlier.awaitNanos(Math.min(wait, idleNanos));
            }
        } catch (InterruptedException e) {
            // Nobody does that.
            running = false;
            return null;
        } finally {
            lock.unlock();
        }
    }
}
