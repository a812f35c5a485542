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
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * The threads of stock's hedged reads. They are the JVM's: once one client has switched them on,
 * all clients hedge, whatever their configuration, and ours stand back.
 */
final class HedgedPool {
    private HedgedPool() {}

    static boolean isThere() throws ReflectiveOperationException {
        return field().get(null) != null;
    }

    /** Ends what is under way, and waits for it. Clients that are open don't hedge any more. */
    static void remove()
            throws ReflectiveOperationException, InterruptedException, TimeoutException {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) field().get(null);
        if (pool != null) {
            field().set(null, null);
            Interruption.end(pool, "hedged reads");
        }
    }

    // Nothing public ends it.
    private static Field field() throws ReflectiveOperationException {
        Field field = DFSClient.class.getDeclaredField("HEDGED_READ_THREAD_POOL");
        field.setAccessible(true);
        return field;
    }
}
