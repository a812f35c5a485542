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
package org.apache.hadoop.clone.appmaster;

import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whatever is ours in threads of Hadoop's, and in schedules: what it throws is logged there, and
 * ends neither the thread nor, as the dispatcher's would, the AppMaster. Not so an
 * OutOfMemoryError, which is everybody's.
 */
final class Harmless {
    private static final Logger LOG = LoggerFactory.getLogger(Harmless.class);

    private Harmless() {}

    static void run(Runnable ours) {
        or(
                null,
                () -> {
                    ours.run();
                    return null;
                });
    }

    /** Again and again: a look that fails would be its schedule's last. */
    static Runnable lasting(Runnable look) {
        return () -> run(look);
    }

    /**
     * @param stock what holds if it throws
     */
    static <T> T or(T stock, Supplier<T> ours) {
        try {
            return ours.get();
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Hadoop goes on without what has failed here", e);
            return stock;
        }
    }
}
