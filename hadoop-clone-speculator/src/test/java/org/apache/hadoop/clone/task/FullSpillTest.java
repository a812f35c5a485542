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
import static org.awaitility.Awaitility.await;

import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.crac.Context;
import org.apache.hadoop.clone.crac.Core;
import org.apache.hadoop.clone.crac.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A map that does nothing but fill spills is to be parked. */
@Timeout(60)
class FullSpillTest {
    private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long SHORT_MILLIS = 200;

    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread map =
            new Thread(
                    () -> {
                        while (!ended.get()) {
                            TaskHooks.withinRecord();
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                        }
                    });

    @BeforeEach
    void start() {
        await("other tests' resources are gone")
                .until(
                        () -> {
                            System.gc();
                            return TaskHooks.RESOURCES.none();
                        });
        map.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        TaskHooks.BOUNDARY.release();
        ended.set(true);
        map.join();
    }

    private static boolean park(long millis) throws InterruptedException {
        return TaskHooks.BOUNDARY.park(() -> true, millis, new Patience(LONG_MILLIS));
    }

    @Test
    void isAPlaceToPark() throws Exception {
        assertThat(park(LONG_MILLIS)).isTrue();
    }

    /** Which it may be using: it is in the midst of a record of its input. */
    @Test
    void isNoneWhenItsUsersResourcesWouldBeClosed() throws Exception {
        Resource connection =
                new Resource() {
                    @Override
                    public void beforeCheckpoint(Context context) {}

                    @Override
                    public void afterRestore(Context context) {}
                };
        Core.getGlobalContext().register(connection);
        assertThat(park(SHORT_MILLIS)).isFalse();
        Reference.reachabilityFence(connection);
    }
}
