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

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/**
 * If the tool and the shell around it are killed together nobody says that the original runs again,
 * or takes its answers. It may find that out itself, long after the tool can have frozen it, and if
 * it proves who it is.
 */
final class OfferWatch implements AutoCloseable {
    private static final long AGAIN_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final NextTry nextTry = new NextTry("Can't open the gate again");
    private final Path directory;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * @param directory of the offer
     */
    OfferWatch(Path directory) {
        this.directory = directory;
    }

    /** Unless all is over by then, whoever waits for the tool is woken until it is. */
    void wakeAfter(long millis) {
        ProcessIdentity noted = ProcessIdentity.current();
        OrderLoop.daemon(() -> watch(millis, noted)).start();
    }

    private void watch(long millis, ProcessIdentity noted) {
        long left = millis;
        // To be woken too early would open the gate beside a tool that freezes.
        while (!Uninterruptibles.awaitUninterruptibly(over, left, TimeUnit.MILLISECONDS)
                && noted.isStillThisProcess()) {
            try {
                // What is said while nobody listens is lost.
                Offer.wake(directory);
            } catch (IOException | RuntimeException | Error e) {
                nextTry.after(e);
            }
            left = AGAIN_MILLIS;
        }
    }

    /** Nobody waits for the tool any more. */
    @Override
    public void close() {
        over.countDown();
    }
}
