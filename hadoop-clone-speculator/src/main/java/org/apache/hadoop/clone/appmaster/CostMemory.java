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
package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.LearnedCosts;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what a job has learned of its clones' costs over to the user's next. A job without it
 * begins with the configured costs, so whatever goes wrong here is a line in the log. A file system
 * may not answer at all: a thread of its own asks it.
 */
final class CostMemory {
    private static final Logger LOG = LoggerFactory.getLogger(CostMemory.class);

    /** For which the end of a job waits, if it made clones; as a rule that takes milliseconds. */
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(3);

    private final CostFile file;
    private final CloneCosts configured;
    private final LearnedCosts learned;
    private final ExecutorService thread =
            HadoopExecutors.newSingleThreadExecutor(CostMemory::daemon);

    CostMemory(CostFile file, CloneCosts configured, LearnedCosts learned) {
        this.file = file;
        this.configured = configured;
        this.learned = learned;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "Clone costs");
        thread.setDaemon(true);
        return thread;
    }

    /** Empty if the job is to remember nothing, or has no staging directory. */
    static Optional<CostMemory> of(
            Configuration conf, CloneCosts configured, LearnedCosts learned) {
        return Optional.ofNullable(conf.get(MRJobConfig.MAPREDUCE_JOB_DIR))
                .filter(directory -> isWanted(conf))
                .map(Path::new)
                .map(
                        directory ->
                                new CostMemory(new CostFile(conf, directory), configured, learned));
    }

    private static boolean isWanted(Configuration conf) {
        return conf.getBoolean(CloneKeys.REMEMBER_COSTS, CloneKeys.REMEMBER_COSTS_DEFAULT);
    }

    /** At a job's beginning. Returns at once. */
    void recall() {
        thread.execute(this::read);
    }

    private void read() {
        try {
            Optional<CloneCosts> earlier = file.read(configured);
            earlier.ifPresent(learned::beginAt);
            LOG.info("Clones are taken to cost {} at first", learned.costs());
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("What clones have cost before isn't known: {}", e.toString());
        }
    }

    /** At its end, once. */
    void keep() {
        boolean isNews = learned.hasLearned();
        if (isNews) {
            thread.execute(this::write);
        }
        thread.shutdown();
        try {
            if (isNews && !thread.awaitTermination(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("What clones have cost can't be kept: that takes too long");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try {
            file.write(configured, learned.costs());
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("What clones have cost can't be kept: {}", e.toString());
        }
    }
}
