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
package org.clonehadoop.benchmarks.reads;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * The threads of stock's hedged reads. They are the JVM's: once one client has switched them on,
 * all clients hedge, whatever their configuration, and ours stand back.
 */
final class HedgedPool {
    private static final long END_SECONDS = 120;

    private HedgedPool() {}

    static boolean isThere() throws ReflectiveOperationException {
        return field().get(null) != null;
    }

    /**
     * Ends what is under way, and waits for it. Clients that are open don't hedge any more.
     *
     * @throws IllegalStateException if some of it doesn't end: it would load the disks on
     */
    static void remove() throws ReflectiveOperationException, InterruptedException {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) field().get(null);
        if (pool != null) {
            field().set(null, null);
            pool.shutdownNow();
            if (!pool.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        pool.getActiveCount() + " hedged reads don't end though interrupted");
            }
        }
    }

    // Nothing public ends it.
    private static Field field() throws ReflectiveOperationException {
        Field field = DFSClient.class.getDeclaredField("HEDGED_READ_THREAD_POOL");
        field.setAccessible(true);
        return field;
    }
}
