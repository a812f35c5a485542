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

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The switch as one job obeys it. Each change is a line in the log. */
@InterfaceAudience.Private
public final class JobSwitch extends CompositeService {
    private static final Logger LOG = LoggerFactory.getLogger(JobSwitch.class);
    private static final long TELL_MILLIS = 500;

    private final String file;
    private final SwitchWatch watch;
    private final Supplier<Subject> job;
    private final Consumer<Boolean> flips;
    private ScheduledExecutorService clock;
    private Permission told;

    /**
     * @param file its name, for the log
     * @param job as it is called now: its queue may change
     * @param flips is told of each change from on (true) to off or back, and of off as the first
     */
    JobSwitch(String file, SwitchWatch watch, Supplier<Subject> job, Consumer<Boolean> flips) {
        super(JobSwitch.class.getSimpleName());
        this.file = file;
        this.watch = watch;
        this.job = job;
        this.flips = flips;
        addService(watch);
    }

    /**
     * Empty where no key names a file: then nothing is looked at. As a service of its owner it
     * begins to look when that starts.
     */
    public static Optional<JobSwitch> of(
            Configuration conf, Supplier<Subject> job, Consumer<Boolean> flips) {
        return isWanted(conf) ? Optional.of(made(conf, job, flips)) : Optional.empty();
    }

    private static JobSwitch made(
            Configuration conf, Supplier<Subject> job, Consumer<Boolean> flips) {
        String name = name(conf);
        SwitchWatch watch =
                new SwitchWatch(new SwitchFile(conf, name), LimitTimes.PRESET, Time::monotonicNow);
        return new JobSwitch(name, watch, job, flips);
    }

    /** Whether a key names a switch file. */
    public static boolean isWanted(Configuration conf) {
        return !name(conf).isEmpty();
    }

    private static String name(Configuration conf) {
        return conf.getTrimmed(CloneKeys.SWITCH_FILE, CloneKeys.SWITCH_FILE_DEFAULT);
    }

    /** What the job may do now; asks no file system. */
    public Permission permission() {
        return watch.of(job.get());
    }

    @Override
    protected void serviceStart() throws Exception {
        super.serviceStart();
        clock = HadoopExecutors.newSingleThreadScheduledExecutor(JobSwitch::daemon);
        clock.scheduleWithFixedDelay(
                this::tellOrComplain, TELL_MILLIS, TELL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "Clone switch");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    protected void serviceStop() throws Exception {
        if (clock != null) {
            clock.shutdownNow();
        }
        super.serviceStop();
    }

    private void tellOrComplain() {
        try {
            tell();
        } catch (RuntimeException failure) {
            LOG.error("A change of {} can't be told; it counts nevertheless", file, failure);
        }
    }

    void tell() {
        if (!watch.hasLooked()) {
            return;
        }
        Permission now = permission();
        if (now.equals(told)) {
            return;
        }
        LOG.info("By {} this job's clones are {}", file, now);
        boolean wasOn = told == null || told.isOn();
        told = now;
        if (wasOn != now.isOn()) {
            flips.accept(now.isOn());
        }
    }
}
