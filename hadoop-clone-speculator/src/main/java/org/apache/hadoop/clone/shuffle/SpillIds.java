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

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * The ids under which spills are served: attempts of tasks that no job has. ShuffleHandler takes an
 * id for the name of a directory, stock's fetchers and merger for the attempt that it names.
 */
final class SpillIds {
    private final TaskAttemptID sample;
    private final int maps;

    /**
     * @param sample any attempt of the job
     * @param maps how many the job has, at least 1
     */
    SpillIds(org.apache.hadoop.mapreduce.TaskAttemptID sample, int maps) {
        this.sample = TaskAttemptID.downgrade(sample);
        this.maps = maps;
    }

    /**
     * @throws IllegalStateException if a map has more spills than there are numbers
     */
    TaskAttemptID of(int map, int spill, int attempt) {
        long number = (spill + 1L) * maps + map;
        if (number > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "map "
                            + map
                            + " has too many spills ("
                            + spill
                            + "): raise mapreduce.task.io.sort.mb");
        }
        return new TaskAttemptID(
                sample.getJobID().getJtIdentifier(),
                sample.getJobID().getId(),
                TaskType.MAP,
                (int) number,
                attempt);
    }

    /** The map whose spill it is. */
    int map(org.apache.hadoop.mapreduce.TaskAttemptID id) {
        return id.getTaskID().getId() % maps;
    }

    /** Which of the map's spills it is. */
    int spill(org.apache.hadoop.mapreduce.TaskAttemptID id) {
        return id.getTaskID().getId() / maps - 1;
    }

    /** An attempt of the map itself. */
    TaskAttemptID attempt(int map, int attempt) {
        return new TaskAttemptID(
                sample.getJobID().getJtIdentifier(),
                sample.getJobID().getId(),
                TaskType.MAP,
                map,
                attempt);
    }
}
