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

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Where a spill's files are: stock's layout, with the spill's id for the attempt's. */
final class SpillPlace {
    private final int servedAs;
    private final MapOutputFile files;

    /**
     * @param id of the spill
     * @param job says which local directories there are
     * @param turn awaited before any of it is sorted
     */
    SpillPlace(TaskAttemptID id, JobConf job, OrderedSpillFiles.Turn turn) {
        servedAs = id.getId();
        JobConf layout = new JobConf(false);
        layout.set(MRConfig.LOCAL_DIR, job.get(MRConfig.LOCAL_DIR));
        layout.set(MRJobConfig.TASK_ATTEMPT_ID, id.toString());
        files = new OrderedSpillFiles(layout, turn);
    }

    /** Attempt number in the spill's id: the attempt's when the spill was begun. */
    int servedAs() {
        return servedAs;
    }

    MapOutputFile files() {
        return files;
    }
}
