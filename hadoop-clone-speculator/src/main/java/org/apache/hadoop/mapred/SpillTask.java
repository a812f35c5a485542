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
package org.apache.hadoop.mapred;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;

/**
 * A map as the collector of one of its spills sees it: with files and progress of the spill's own.
 * One for all spills: a task is too much to be made for each, and the collector asks at its start.
 * Here because what a task reports in distress can only be passed on from this package.
 */
@InterfaceAudience.Private
public final class SpillTask extends MapTask {
    private final MapTask map;
    private MapOutputFile files;
    private Progress progress;

    /**
     * @param map whose id is shared, not copied: a clone changes it in place
     */
    public SpillTask(MapTask map) {
        super("", map.getTaskID(), map.getPartition(), new TaskSplitIndex(), 1);
        this.map = map;
    }

    /** What a buffer that is made now takes for the spill's. */
    public void beginSpill(MapOutputFile itsFiles) {
        files = itsFiles;
        progress = new Progress();
    }

    /**
     * All spills are published. Stock now looks at the map's one output file, for a size that it
     * reports and nobody reads, and logs a stack trace where there is none.
     */
    public void endSpills() {
        map.mapOutputFile = new Published();
    }

    @Override
    public MapOutputFile getMapOutputFile() {
        return files;
    }

    /** Stock completes the sort phase after each merge; the map's own ends once. */
    @Override
    public Progress getSortPhase() {
        return progress;
    }

    @Override
    protected void reportFatalError(
            TaskAttemptID id, Throwable throwable, String message, boolean fastFail) {
        map.reportFatalError(id, throwable, message, fastFail);
    }

    /** Instead of an output file: something that is there. */
    private static final class Published extends YarnOutputFiles {
        @Override
        public Path getOutputFile() {
            return new Path(Path.CUR_DIR);
        }
    }
}
