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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.YarnOutputFiles;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskID;

/**
 * Where a reduce keeps what it has fetched and merged: all in one directory, so that a clone can be
 * given that. It is named after the container in which the reduce began, and stays so in its
 * clones: queues and segments of the merges hold whole paths. Stock names it after the attempt, and
 * puts merged files beside it.
 */
final class ReduceFiles extends YarnOutputFiles {
    private static final String MERGED = "merged";

    private final String directory;
    private final LocalDirAllocator allocator = new LocalDirAllocator(MRConfig.LOCAL_DIR);

    /**
     * @param container that of the process in which the reduce began
     */
    ReduceFiles(JobConf job, String container) {
        setConf(job);
        directory = "output/" + container;
    }

    /** Below each of the application's local directories. */
    String directory() {
        return directory;
    }

    private String fetched(int task) {
        return directory + "/map_" + task + ".out";
    }

    @Override
    public Path getInputFile(int task) throws IOException {
        return allocator.getLocalPathToRead(fetched(task), getConf());
    }

    @Override
    public Path getInputFileForWrite(TaskID task, long size) throws IOException {
        return allocator.getLocalPathForWrite(fetched(task.getId()), size, getConf());
    }

    /** For what names its files itself. They keep their names, which are the attempt's own. */
    LocalDirAllocator forMerges() {
        return new LocalDirAllocator(MRConfig.LOCAL_DIR) {
            @Override
            public Path getLocalPathForWrite(
                    String path, long size, Configuration conf, boolean checkWrite)
                    throws IOException {
                return super.getLocalPathForWrite(
                        directory + "/" + MERGED + "/" + new Path(path).getName(),
                        size,
                        conf,
                        checkWrite);
            }
        };
    }
}
