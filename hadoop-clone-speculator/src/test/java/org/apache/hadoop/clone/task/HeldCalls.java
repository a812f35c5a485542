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

import java.util.concurrent.CountDownLatch;

/** Calls of one kind, which a test may leave without an answer for a while. */
final class HeldCalls {
    private final CountDownLatch waiting = new CountDownLatch(1);
    private volatile CountDownLatch answer = new CountDownLatch(0);

    /** Calls wait from now on. */
    void hold() {
        answer = new CountDownLatch(1);
    }

    /** Does one wait, or has one waited? */
    boolean isWaiting() {
        return waiting.getCount() == 0;
    }

    void letGo() {
        answer.countDown();
    }

    /** By a call. */
    void pass() throws InterruptedException {
        CountDownLatch held = answer;
        if (held.getCount() > 0) {
            waiting.countDown();
            held.await();
        }
    }
}
