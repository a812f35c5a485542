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
package org.clonehadoop.benchmarks.straggler;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * Slows the thread of one task down: after every 10 ms of its own time it waits in proportion to
 * them, for at most 200 ms at each record. Its own time is what it works, and its pace.
 *
 * <p>Whose id it is, is asked anew every time, and at most 20 ms later while it waits: the process
 * may become another attempt at any moment, and then owes nothing for what its original worked.
 */
final class Brake {
    private static final long GRAIN = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(20);

    /** No record takes longer: what is owed beyond that is left to the next ones. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(200);

    /** What a brake needs of the world. */
    interface Clock {
        long nanos();

        void sleep(long nanos) throws InterruptedException;
    }

    private final Slowdown slowdown;
    private final Supplier<TaskAttemptID> self;
    private final Clock clock;

    /** By name: in a clone the object of its original's id says another attempt. */
    private String owing;

    private long owed;

    /** Of the pace, for the records since it waited. */
    private long paced;

    private long workingSince;
    private long records;

    Brake(Slowdown slowdown, Supplier<TaskAttemptID> self, Clock clock) {
        this.slowdown = slowdown;
        this.self = self;
        this.clock = clock;
        workingSince = clock.nanos();
    }

    static Brake on(Slowdown slowdown, Supplier<TaskAttemptID> self) {
        return new Brake(
                slowdown,
                self,
                new Clock() {
                    @Override
                    public long nanos() {
                        return System.nanoTime();
                    }

                    @Override
                    public void sleep(long nanos) throws InterruptedException {
                        TimeUnit.NANOSECONDS.sleep(nanos);
                    }
                });
    }

    /** To be called after each record. */
    void press() throws InterruptedException {
        paced += slowdown.paceNanos();
        boolean mayBeSlow = records == slowdown.afterRecords();
        if (!mayBeSlow && ++records == slowdown.afterRecords()) {
            workingSince = clock.nanos();
        }
        long own = paced + (mayBeSlow ? clock.nanos() - workingSince : 0);
        if (owed == 0 && own < GRAIN) {
            return;
        }
        TaskAttemptID id = self.get();
        if (!id.toString().equals(owing)) {
            owing = id.toString();
            owed = 0;
        }
        owed += paced + (mayBeSlow ? (long) (own * slowdown.of(id)) : 0);
        paced = 0;
        pay(Math.min(owed, TURN));
        workingSince = clock.nanos();
    }

    private void pay(long turn) throws InterruptedException {
        for (long waited = 0; waited < turn && self.get().toString().equals(owing); ) {
            long nap = Math.min(turn - waited, NAP);
            clock.sleep(nap);
            waited += nap;
            owed -= nap;
        }
    }
}
