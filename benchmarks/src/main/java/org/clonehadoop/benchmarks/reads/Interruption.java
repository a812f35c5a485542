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

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of reads that nobody waits for any more: they would load the disks on. */
final class Interruption {
    /** A read that is interrupted may still wait for one that nothing interrupts. */
    private static final long SECONDS = 120;

    private Interruption() {}

    /**
     * Returns when all threads have ended.
     *
     * @param whose for the message: what they do
     * @throws TimeoutException if some don't: what is measured next would be beside them
     */
    static void end(ExecutorService threads, String whose)
            throws InterruptedException, TimeoutException {
        threads.shutdownNow();
        if (!threads.awaitTermination(SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException(whose + " don't end though they were interrupted");
        }
    }
}
