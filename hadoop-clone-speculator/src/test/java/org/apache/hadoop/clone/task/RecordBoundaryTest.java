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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordBoundaryTest {
    private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private static final Patience ENDLESS = new Patience(LONG_MILLIS);

    private final RecordBoundary boundary = new RecordBoundary();
    private final AtomicBoolean atBoundaries = new AtomicBoolean(true);
    private final AtomicBoolean end = new AtomicBoolean();
    private final AtomicLong records = new AtomicLong();
    private final Thread map =
            new Thread(
                    () -> {
                        while (!end.get()) {
                            if (atBoundaries.get()) {
                                boundary.pass();
                            }
                            records.incrementAndGet();
                        }
                    },
                    "map");

    @BeforeEach
    void readRecords() {
        map.setDaemon(true);
        map.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        end.set(true);
        boundary.release();
        map.join();
    }

    @Test
    void parksTheMapUntilItIsReleased() throws InterruptedException {
        assertThat(boundary.park(() -> true, LONG_MILLIS, ENDLESS)).isTrue();
        awaitParked();
        long before = records.get();

        map.interrupt();
        Thread.yield();
        assertThat(records).as("an interrupt wakes nobody").hasValue(before);

        boundary.release();
        awaitMoreThan(before);
    }

    @Test
    void waitsForABoundaryWhereAllIsQuiet() throws InterruptedException {
        AtomicLong asked = new AtomicLong();
        assertThat(boundary.park(() -> asked.incrementAndGet() == 100, LONG_MILLIS, ENDLESS))
                .isTrue();
        assertThat(asked).hasValue(100);
    }

    @Test
    void asksTheThreadThatIsAtTheBoundaryWhetherAllIsQuiet() throws InterruptedException {
        assertThat(boundary.park(() -> Thread.currentThread() == map, LONG_MILLIS, ENDLESS))
                .isTrue();
    }

    @Test
    void givesTheThreadAtTheBoundaryItsTime() throws InterruptedException {
        long limitMillis = 500;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * limitMillis);
        BooleanSupplier slow =
                () -> {
                    spinUntil(end);
                    return true;
                };
        assertThat(boundary.park(slow, limitMillis, ENDLESS)).isTrue();
        awaitParked();
    }

    /** Its answer isn't the last one if there is time left for another. */
    @Test
    void doesNotCountTheTimeThatADecisionTakes() throws InterruptedException {
        long limitMillis = 500;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * limitMillis);
        AtomicLong asked = new AtomicLong();
        BooleanSupplier slowThenQuiet =
                () -> {
                    spinUntil(end);
                    return asked.incrementAndGet() > 1;
                };
        assertThat(boundary.park(slowThenQuiet, limitMillis, ENDLESS)).isTrue();
        awaitParked();
    }

    /** For the time of a decision, too. */
    @Test
    void waitsNoLongerThanItsPatience() throws InterruptedException {
        Patience patience = new Patience(300);
        BooleanSupplier slow =
                () -> {
                    while (!patience.isOver()) {
                        Thread.onSpinWait();
                    }
                    return false;
                };
        assertThat(boundary.park(slow, LONG_MILLIS, patience)).isFalse();
        awaitMoreThan(records.get());
    }

    /** Long before its time is over; whatever it says then. */
    @Test
    @Timeout(20)
    void endsWhenTheThreadThatIsAskedGivesUp() throws InterruptedException {
        AtomicLong asked = new AtomicLong();
        BooleanSupplier givesUp =
                () -> {
                    if (asked.incrementAndGet() == 100) {
                        boundary.release();
                        return true;
                    }
                    return false;
                };
        assertThat(boundary.park(givesUp, LONG_MILLIS, ENDLESS)).isFalse();
        awaitMoreThan(records.get());
        assertThat(asked).hasValue(100);
    }

    @Test
    void leavesTheMapAloneWhenItIsNeverQuiet() throws InterruptedException {
        assertThat(boundary.park(() -> false, 1, ENDLESS)).isFalse();
        awaitMoreThan(records.get());
    }

    /** In a hook: the map must not notice. It isn't asked at each of its records again. */
    @Test
    void leavesTheMapAloneWhenItCanNotBeTold() throws InterruptedException {
        AtomicLong asked = new AtomicLong();
        BooleanSupplier broken =
                () -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("another Hadoop");
                };
        assertThat(boundary.park(broken, 200, ENDLESS)).isFalse();
        assertThat(asked).hasValue(1);
        awaitMoreThan(records.get());
        assertThat(boundary.park(() -> true, LONG_MILLIS, ENDLESS)).isTrue();
        boundary.release();
    }

    @Test
    void leavesTheMapAloneWhenItDoesNotComeToABoundaryInTime() throws InterruptedException {
        atBoundaries.set(false);
        // The map may be on its way to the one boundary more.
        awaitMoreThan(records.get() + 1);
        assertThat(boundary.park(() -> true, 1, ENDLESS)).isFalse();
        atBoundaries.set(true);
        awaitMoreThan(records.get());
    }

    @Test
    void releasesNobodyHarmlessly() {
        boundary.release();
        awaitMoreThan(records.get());
    }

    /** Whatever the limit, "false" must mean that nobody stands there. */
    @Test
    void eitherParksTheMapOrLetsItRunHoweverShortTheLimit() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            boolean parked = boundary.park(() -> true, i % 3, ENDLESS);
            if (parked) {
                awaitParked();
                boundary.release();
            }
            awaitMoreThan(records.get());
        }
    }

    private static void spinUntil(long nanoTime) {
        while (System.nanoTime() - nanoTime < 0) {
            Thread.onSpinWait();
        }
    }

    private void awaitParked() {
        while (map.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private void awaitMoreThan(long before) {
        while (records.get() <= before) {
            Thread.onSpinWait();
        }
    }
}
