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
package org.example;

import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads and descriptors of user code's own; not in a package of Hadoop's, by which its threads
 * are known.
 */
public final class UsersOwn {
    private static final List<Closeable> KEPT = new CopyOnWriteArrayList<>();

    private UsersOwn() {}

    /** Leaves it open. */
    public static void keep(Closeable open) {
        KEPT.add(open);
    }

    /** Never waits for anything. */
    public static void startRestless() {
        start(
                () -> {
                    while (true) {
                        Thread.yield();
                    }
                });
    }

    /** Waits until somebody wakes it. */
    public static Thread startWaiting() {
        return start(LockSupport::park);
    }

    private static Thread start(Runnable work) {
        Thread mine = new Thread(work, "mine");
        mine.setDaemon(true);
        mine.start();
        return mine;
    }
}
