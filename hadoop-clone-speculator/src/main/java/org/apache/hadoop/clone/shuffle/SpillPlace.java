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
package org.apache.hadoop.clone.shuffle;

import java.util.function.Supplier;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Where a spill's files are: stock's layout, with the spill's id for the attempt's. That is the id
 * of the attempt that writes it, which may be a clone of the one that began it: its original, or a
 * clone of its own on the original's host, would write the same id once more, and ShuffleHandler
 * reads an index only once.
 */
final class SpillPlace {
    private final Supplier<TaskAttemptID> id;
    private final JobConf layout = new JobConf(false);
    private final MapOutputFile files;
    private boolean begun;
    private int servedAs;

    /**
     * @param id of the spill, asked for again when the first of its files is made
     * @param job says which local directories there are
     * @param turn awaited before any of it is sorted
     */
    SpillPlace(Supplier<TaskAttemptID> id, JobConf job, OrderedSpillFiles.Turn turn) {
        this.id = id;
        layout.set(MRConfig.LOCAL_DIR, job.get(MRConfig.LOCAL_DIR));
        name();
        files =
                new OrderedSpillFiles(
                        layout,
                        () -> {
                            turn.await();
                            begin();
                        });
    }

    private synchronized void begin() {
        if (!begun) {
            begun = true;
            name();
        }
    }

    private void name() {
        TaskAttemptID now = id.get();
        servedAs = now.getId();
        layout.set(MRJobConfig.TASK_ATTEMPT_ID, now.toString());
    }

    /** Attempt number in the spill's id: the attempt's when the spill was first written to. */
    synchronized int servedAs() {
        return servedAs;
    }

    MapOutputFile files() {
        return files;
    }
}
