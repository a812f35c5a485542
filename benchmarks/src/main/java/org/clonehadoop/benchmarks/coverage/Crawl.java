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
package org.clonehadoop.benchmarks.coverage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Makes chosen attempts crawl: from a given progress on, each of their records takes a fifth of a
 * second, until they have crawled for as long as they may. Whatever a job's records cost, its
 * straggler is caught in their midst, and ends by itself if nobody clones it.
 *
 * <p>Whose attempt it is, is asked anew at every record and every few milliseconds of a wait: in a
 * clone it is another one, which crawls only if it is listed too.
 */
final class Crawl {
    private static final String PREFIX = "clonehadoop.crawl.";

    /** {@link Crawlers}, e.g. {@code m_000000_0,r_000000_0} or {@code *}; none by default. */
    static final String ATTEMPTS = PREFIX + "attempts";

    /** For how long each of them does at most, in milliseconds; 40 s by default. */
    static final String LIMIT_MILLIS = PREFIX + "limit-millis";

    private static final long LIMIT_MILLIS_DEFAULT = 40_000;

    /**
     * For how long a clone does at most, from when it is one; what its original had left by
     * default.
     */
    static final String CLONE_MILLIS = PREFIX + "clone-millis";

    /** Of a whole task's progress: in the midst of a map's input, and of a reduce's values. */
    private static final double MAP_BEGIN = 0.3;

    private static final double REDUCE_BEGIN = 0.75;

    private static final long RECORD = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(20);

    /** What a crawl needs of the world. */
    interface Sleeper {
        void sleep(long nanos) throws InterruptedException;
    }

    private final Crawlers crawlers;
    private final Supplier<TaskAttemptID> self;
    private final DoubleSupplier progress;
    private final Sleeper sleeper;
    private final long leftToClone;
    private long left;
    private int attempt;

    Crawl(
            Configuration conf,
            Supplier<TaskAttemptID> self,
            DoubleSupplier progress,
            Sleeper sleeper) {
        crawlers = Crawlers.of(conf);
        left = nanos(conf, LIMIT_MILLIS, LIMIT_MILLIS_DEFAULT);
        leftToClone = nanos(conf, CLONE_MILLIS, Long.MAX_VALUE);
        this.self = self;
        this.progress = progress;
        this.sleeper = sleeper;
        attempt = self.get().getId();
    }

    /** Of a task of the new interface. */
    static Crawl of(TaskAttemptContext task) {
        return new Crawl(
                task.getConfiguration(),
                task::getTaskAttemptID,
                task::getProgress,
                TimeUnit.NANOSECONDS::sleep);
    }

    /** Of one of the old interface, to which the configuration is all that it knows of itself. */
    static Crawl of(JobConf job, Reporter reporter) {
        return new Crawl(
                job,
                () -> TaskAttemptID.forName(job.get(MRJobConfig.TASK_ATTEMPT_ID)),
                reporter::getProgress,
                TimeUnit.NANOSECONDS::sleep);
    }

    /** What is wrapped: the class that a key names, or else Hadoop's default. */
    static <T> T wrapped(Configuration conf, String key, Class<?> byDefault, Class<T> type) {
        return type.cast(ReflectionUtils.newInstance(conf.getClass(key, byDefault), conf));
    }

    private static long nanos(Configuration conf, String key, long byDefault) {
        return TimeUnit.MILLISECONDS.toNanos(conf.getLong(key, byDefault));
    }

    /** From which progress of the task on it crawls, 0 to 1. */
    static double begin(TaskAttemptID attempt) {
        return attempt.getTaskType() == TaskType.REDUCE ? REDUCE_BEGIN : MAP_BEGIN;
    }

    /** To be called before each record. */
    void record() throws InterruptedException {
        for (long waited = 0; waited < RECORD && left > 0 && isCrawling(); waited += NAP) {
            sleeper.sleep(NAP);
            left -= NAP;
        }
    }

    /** The same, for those who may throw nothing else. */
    void recordOrIOException() throws IOException {
        try {
            record();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException().initCause(e);
        }
    }

    private boolean isCrawling() {
        TaskAttemptID id = self.get();
        // The id is overwritten in place, so that only its number can be kept.
        if (id.getId() != attempt) {
            attempt = id.getId();
            left = Math.min(left, leftToClone);
        }
        return crawlers.has(id) && progress.getAsDouble() >= begin(id);
    }
}
