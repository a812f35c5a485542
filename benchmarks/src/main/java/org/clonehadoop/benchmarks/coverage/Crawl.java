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

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

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

    /** The attempts that crawl, e.g. {@code m_000000_0,r_000000_0}; none by default. */
    static final String ATTEMPTS = PREFIX + "attempts";

    /** For how long each of them does at most, in milliseconds; 40 s by default. */
    static final String LIMIT_MILLIS = PREFIX + "limit-millis";

    private static final long LIMIT_MILLIS_DEFAULT = 40_000;

    /** Of a whole task's progress: in the midst of a map's input, and of a reduce's values. */
    private static final double MAP_BEGIN = 0.3;

    private static final double REDUCE_BEGIN = 0.75;

    private static final long RECORD = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(20);

    /** What a crawl needs of the world. */
    interface Sleeper {
        void sleep(long nanos) throws InterruptedException;
    }

    private final Set<String> attempts;
    private final Supplier<TaskAttemptID> self;
    private final DoubleSupplier progress;
    private final Sleeper sleeper;
    private long left;

    Crawl(
            Configuration conf,
            Supplier<TaskAttemptID> self,
            DoubleSupplier progress,
            Sleeper sleeper) {
        attempts = attempts(conf);
        left = TimeUnit.MILLISECONDS.toNanos(conf.getLong(LIMIT_MILLIS, LIMIT_MILLIS_DEFAULT));
        this.self = self;
        this.progress = progress;
        this.sleeper = sleeper;
    }

    static Crawl of(Configuration conf, Supplier<TaskAttemptID> self, DoubleSupplier progress) {
        return new Crawl(conf, self, progress, TimeUnit.NANOSECONDS::sleep);
    }

    /** The attempts that crawl, as {@link #name} has them. */
    static Set<String> attempts(Configuration conf) {
        return Set.copyOf(conf.getTrimmedStringCollection(ATTEMPTS));
    }

    /** Without what all attempts of a job have in common: {@code m_000000_0}. */
    static String name(TaskAttemptID attempt) {
        return String.format(
                "%s_%06d_%d",
                isReduce(attempt) ? "r" : "m", attempt.getTaskID().getId(), attempt.getId());
    }

    /** From which progress of the task on it crawls, 0 to 1. */
    static double begin(TaskAttemptID attempt) {
        return isReduce(attempt) ? REDUCE_BEGIN : MAP_BEGIN;
    }

    private static boolean isReduce(TaskAttemptID attempt) {
        return attempt.getTaskType() == TaskType.REDUCE;
    }

    /** To be called before each record. */
    void record() throws InterruptedException {
        for (long waited = 0; waited < RECORD && left > 0 && isCrawling(); waited += NAP) {
            sleeper.sleep(NAP);
            left -= NAP;
        }
    }

    private boolean isCrawling() {
        TaskAttemptID id = self.get();
        return attempts.contains(name(id)) && progress.getAsDouble() >= begin(id);
    }
}
