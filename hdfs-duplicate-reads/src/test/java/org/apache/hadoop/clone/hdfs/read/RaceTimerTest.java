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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RaceTimerTest {
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private final RaceTimer timer =
            new RaceTimer(
                    work -> {
                        thread.set(new Thread(work));
                        return thread.get();
                    },
                    Duration.ofMillis(800));

    private final class Named implements RaceTimer.Sleeper {
        private final String name;
        private final long at;
        private volatile boolean over;

        Named(String name, long afterMillis) {
            this.name = name;
            long after = TimeUnit.MILLISECONDS.toNanos(afterMillis);
            this.at = System.nanoTime() + after;
            timer.set(this, after);
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public void wake() {
            woken.add(System.nanoTime() < at ? name + " too early" : name);
        }
    }

    @Test
    void eachIsWokenInItsTurnAndNotBefore() {
        new Named("last", 600);
        new Named("first", 0);
        new Named("middle", 300);
        await().until(() -> woken.size() == 3);
        assertThat(woken).containsExactly("first", "middle", "last");
    }

    @Test
    void oneThatIsOverSleepsOn() {
        Named over = new Named("over", 100);
        over.over = true;
        new Named("other", 200);
        await().until(() -> !woken.isEmpty());
        assertThat(woken).containsExactly("other");
    }

    @Test
    void theThreadDoesNotStayForOneThatIsOver() {
        Named over = new Named("over", TimeUnit.HOURS.toMillis(1));
        over.over = true;
        await().atMost(Duration.ofMinutes(1)).until(() -> !thread.get().isAlive());
        assertThat(woken).isEmpty();
    }

    @Test
    void theThreadEndsWithoutWorkAndComesBack() {
        new Named("one", 0);
        Thread first = thread.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> !first.isAlive());
        new Named("two", 0);
        await().until(() -> woken.size() == 2);
        assertThat(thread.get()).isNotSameAs(first);
    }
}
