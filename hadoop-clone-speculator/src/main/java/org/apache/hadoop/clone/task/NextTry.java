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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For what must be done, whatever stands against it for a while: no descriptor or memory left, or
 * an interrupt by user code that stops all threads. Made ahead, as its class might be what can't be
 * had.
 */
final class NextTry {
    private static final Logger LOG = LoggerFactory.getLogger(NextTry.class);

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String failed;

    /**
     * @param failed what can't be done just now
     */
    NextTry(String failed) {
        this.failed = failed;
    }

    /** A pause, without the interrupt that may have been the failure. Never throws. */
    void after(Throwable why) {
        try {
            LOG.warn("{}; it is tried again", failed, why);
        } catch (Throwable e) {
            // As long as there is no memory, nor is there any to say so.
        }
        Thread.interrupted();
        LockSupport.parkNanos(AGAIN_NANOS);
    }
}
