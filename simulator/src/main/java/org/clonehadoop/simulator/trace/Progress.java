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
package org.clonehadoop.simulator.trace;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Says now and then how far a day has come. */
final class Progress implements Consumer<Day.State> {
    private static final long EVERY_NANOS = 2_000_000_000L;

    private final String title;
    private final int jobs;
    private final PrintStream out;
    private final LongSupplier nanos;
    private final long begun;
    private long next;

    /**
     * @param nanos the time
     */
    Progress(String title, int jobs, PrintStream out, LongSupplier nanos) {
        this.title = title;
        this.jobs = jobs;
        this.out = out;
        this.nanos = nanos;
        begun = nanos.getAsLong();
        next = begun + EVERY_NANOS;
    }

    @Override
    public void accept(Day.State state) {
        long now = nanos.getAsLong();
        if (now - next >= 0) {
            next = now + EVERY_NANOS;
            out.printf(
                    Locale.ROOT,
                    "%s: %d of %d jobs have ended and %d run at %.2f h, after %d s%n",
                    title,
                    state.ended(),
                    jobs,
                    state.running(),
                    state.seconds() / 3600,
                    (now - begun) / 1_000_000_000L);
        }
    }
}
