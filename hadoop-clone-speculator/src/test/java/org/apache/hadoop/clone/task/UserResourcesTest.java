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

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.crac.Context;
import org.apache.hadoop.clone.crac.Core;
import org.apache.hadoop.clone.crac.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UserResourcesTest {
    private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Context context = Core.getGlobalContext();
    private final UserResources resources = new UserResources(context);

    /** Closes when it is let. */
    private static final class Slow implements Resource {
        private final CountDownLatch let = new CountDownLatch(1);
        private volatile int opened;

        @Override
        public void beforeCheckpoint(Context of) throws InterruptedException {
            let.await();
        }

        @Override
        public void afterRestore(Context of) {
            opened++;
        }
    }

    /** Even of one that can't say who it is. */
    private static final class Unwilling implements Resource {
        private volatile boolean unwilling = true;

        @Override
        public void beforeCheckpoint(Context of) {
            if (unwilling) {
                throw new IllegalStateException();
            }
        }

        @Override
        public void afterRestore(Context of) {
            if (unwilling) {
                throw new AssertionError();
            }
        }

        @Override
        public String toString() {
            throw new IllegalStateException();
        }
    }

    @Test
    void aVetoWithoutAWordIsOne() throws Exception {
        Slow other = new Slow();
        other.let.countDown();
        Unwilling one = new Unwilling();
        // The last one to register is the first one to close, and the last one to be opened.
        context.register(one);
        context.register(other);
        assertThat(resources.close(LONG_MILLIS).orElseThrow())
                .contains(Unwilling.class.getName(), "doesn't want to be cloned");
        assertThat(resources.open(LONG_MILLIS).orElseThrow()).contains("can't go on");
        assertThat(other.opened).as("behind one that fails").isEqualTo(1);
        one.unwilling = false; // for other tests: the context is this JVM's
    }

    @Test
    void doesNotWaitForUserCodeForEver() throws Exception {
        Slow slow = new Slow();
        context.register(slow);
        assertThat(resources.close(1)).contains("its resources didn't close in 1 ms");
        assertThat(resources.open(1)).contains("its resources didn't open again in 1 ms");

        slow.let.countDown();
        await().until(() -> slow.opened == 1);
        assertThat(resources.close(LONG_MILLIS)).isEmpty();
        assertThat(resources.open(LONG_MILLIS)).isEmpty();
        assertThat(slow.opened).isEqualTo(2);
    }
}
