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
package org.clonehadoop.benchmarks.straggler;

import org.apache.hadoop.mapred.Task;

/** The brake of this JVM's task, pressed from where {@link StragglerAgent} calls. */
public final class Straggling {
    private static Slowdown slowdown;
    private static Task task;
    private static Thread runner;
    private static Brake brake;
    private static long presses;

    private Straggling() {}

    static synchronized void by(Slowdown of) {
        slowdown = of;
        Runtime.getRuntime().addShutdownHook(new Thread(Straggling::tell));
    }

    /** On standard error, as a task's JVM keeps it. */
    private static synchronized void tell() {
        if (task != null) {
            System.err.println(
                    "straggler agent: " + task.getTaskID() + " had " + presses + " records");
        }
    }

    /** As a task is told its configuration, by the thread that will run it. */
    public static synchronized void begin(Task begun) {
        if (begun != task) {
            tell();
            task = begun;
            presses = 0;
            runner = Thread.currentThread();
            // In a clone the task's own id becomes another.
            brake = Brake.on(slowdown, () -> begun.getTaskID());
        }
    }

    /** By any thread: a mapper may have several that read. */
    public static void afterRecord() {
        if (task != null && task.isMapTask()) {
            press();
        }
    }

    /** A reduce's, not those of combiners, which run in maps, and beside a reduce's fetching. */
    public static void afterValue() {
        if (task != null && !task.isMapTask() && Thread.currentThread() == runner) {
            press();
        }
    }

    private static synchronized void press() {
        presses++;
        try {
            brake.press();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
