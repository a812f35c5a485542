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

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.shuffle.PublishedSpill;
import org.apache.hadoop.clone.shuffle.SpillRegistry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an AppMaster needs so that maps which succeeded under the one before needn't run again: that
 * one's {@link SpillJournal}, and its own for the one after. They are beside the job's history, by
 * which stock knows that those maps have succeeded.
 */
final class SpillRecovery implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SpillRecovery.class);
    private static final String SUFFIX = ".spills";

    private final Optional<SpillJournal> journal;
    private final Map<TaskAttemptID, List<PublishedSpill>> before;

    private SpillRecovery(
            Optional<SpillJournal> journal, Map<TaskAttemptID, List<PublishedSpill>> before) {
        this.journal = journal;
        this.before = before;
    }

    /** Of a job whose maps always run again. */
    static SpillRecovery none() {
        return new SpillRecovery(Optional.empty(), new HashMap<>());
    }

    /**
     * Reads what the AppMaster before this one has written. To be called as the job's user; never
     * fails.
     */
    static SpillRecovery of(Configuration conf, ApplicationAttemptId appMaster) {
        if (!conf.getBoolean(
                MRJobConfig.MR_AM_JOB_RECOVERY_ENABLE,
                MRJobConfig.MR_AM_JOB_RECOVERY_ENABLE_DEFAULT)) {
            return none();
        }
        try {
            Path mine = fileOf(conf, appMaster.getApplicationId(), appMaster.getAttemptId());
            FileSystem files = mine.getFileSystem(conf);
            return new SpillRecovery(
                    Optional.of(new SpillJournal(files, mine)), read(conf, files, appMaster));
        } catch (IOException | RuntimeException e) {
            LOG.warn("All maps run again if this AppMaster is restarted", e);
            return none();
        }
    }

    private static Map<TaskAttemptID, List<PublishedSpill>> read(
            Configuration conf, FileSystem files, ApplicationAttemptId appMaster)
            throws IOException {
        ApplicationId application = appMaster.getApplicationId();
        int last = appMaster.getAttemptId() - 1;
        return last == 0
                ? new HashMap<>()
                : SpillJournal.read(
                        files,
                        fileOf(conf, application, last),
                        JobID.downgrade(TypeConverter.fromYarn(application)));
    }

    /** Beside the history of that AppMaster, which stock names by the one after it. */
    private static Path fileOf(Configuration conf, ApplicationId application, int appMaster)
            throws IOException {
        ApplicationAttemptId next = ApplicationAttemptId.newInstance(application, appMaster + 1);
        return JobHistoryUtils.getPreviousJobHistoryPath(conf, next).suffix(SUFFIX);
    }

    /**
     * Tells the registry of the map's output what the AppMaster before this one knew of it.
     *
     * @return whether that is anything
     */
    boolean restore(TaskAttemptID attempt, SpillRegistry registry) {
        List<PublishedSpill> known = before.remove(attempt);
        if (known == null) {
            return false;
        }
        try {
            registry.restore(attempt, known);
            return true;
        } catch (IOException e) {
            LOG.warn("What was written of {} can't be true", attempt, e);
            return false;
        }
    }

    /** The attempt's map has succeeded by it. */
    void note(TaskAttemptID attempt, SpillRegistry registry) {
        journal.ifPresent(open -> open.succeeded(attempt, () -> registry.published(attempt)));
    }

    @Override
    public void close() {
        journal.ifPresent(SpillJournal::close);
    }
}
