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
package org.apache.hadoop.clone.limits;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.util.concurrent.HadoopExecutors;

/**
 * Looks at the switch file every few seconds, in a thread of its own: a file system may not answer
 * at all. Then, and where there is no such file, or one that can't be understood, jobs are off.
 */
final class SwitchWatch extends AbstractService {
    private static final Look NONE_YET = new Look(null, "it hasn't been read yet", 0);

    private final SwitchFile file;
    private final LimitTimes times;
    private final LongSupplier clock;
    private volatile Look last = NONE_YET;
    private ScheduledExecutorService thread;

    /** What a look found: rules, or why there are none. It holds from when it was begun. */
    private record Look(SwitchRules rules, String trouble, long begunMillis) {}

    /**
     * @param clock that never jumps, in milliseconds
     */
    SwitchWatch(SwitchFile file, LimitTimes times, LongSupplier clock) {
        super(SwitchWatch.class.getSimpleName());
        this.file = file;
        this.times = times;
        this.clock = clock;
    }

    @Override
    protected void serviceStart() throws Exception {
        thread = HadoopExecutors.newSingleThreadScheduledExecutor(SwitchWatch::daemon);
        thread.scheduleWithFixedDelay(this::look, 0, times.lookMillis(), TimeUnit.MILLISECONDS);
        super.serviceStart();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "Clone switch file");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    protected void serviceStop() throws Exception {
        if (thread != null) {
            thread.shutdownNow();
        }
        super.serviceStop();
    }

    /** Whatever were thrown here would end the looks. */
    void look() {
        long begun = clock.getAsLong();
        try {
            last = new Look(file.look(), null, begun);
        } catch (IllegalArgumentException e) {
            last = new Look(null, e.getMessage(), begun);
        } catch (IOException | RuntimeException | Error e) {
            last = new Look(null, "it can't be read: " + firstLine(e), begun);
        }
    }

    private static String firstLine(Throwable e) {
        return e.toString().lines().findFirst().orElse("");
    }

    /** What the job may do now. */
    Permission of(Subject job) {
        Look look = last;
        if (look.rules() == null) {
            return Permission.off(look.trouble());
        }
        return clock.getAsLong() - look.begunMillis() > times.staleMillis()
                ? Permission.off("the file system doesn't answer")
                : look.rules().of(job);
    }

    /** Whether a first look has ended, well or not. */
    boolean hasLooked() {
        return last != NONE_YET;
    }
}
