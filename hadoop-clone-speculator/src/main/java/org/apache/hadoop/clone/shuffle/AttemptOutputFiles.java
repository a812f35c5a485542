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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.YarnOutputFiles;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * Stock's local files of a map, with the spills beside the final output instead of among all other
 * attempts' files: {@code output/ATTEMPT/} is everything that a map has on disk, and a clone can be
 * given that directory under its own name.
 */
@InterfaceAudience.Private
public class AttemptOutputFiles extends YarnOutputFiles {
    private final LocalDirAllocator directories = new LocalDirAllocator(MRConfig.LOCAL_DIR);

    /**
     * @param job of the running task; the attempt's id is taken from it anew each time
     */
    public AttemptOutputFiles(JobConf job) {
        setConf(job);
    }

    private String file(String name) {
        return "output/" + getConf().get(JobContext.TASK_ATTEMPT_ID) + "/" + name;
    }

    private String spill(int number) {
        return file("spill" + number + ".out");
    }

    private String spillIndex(int number) {
        return spill(number) + ".index";
    }

    @Override
    public Path getSpillFile(int number) throws IOException {
        return directories.getLocalPathToRead(spill(number), getConf());
    }

    @Override
    public Path getSpillFileForWrite(int number, long size) throws IOException {
        return directories.getLocalPathForWrite(spill(number), size, getConf());
    }

    @Override
    public Path getSpillIndexFile(int number) throws IOException {
        return directories.getLocalPathToRead(spillIndex(number), getConf());
    }

    @Override
    public Path getSpillIndexFileForWrite(int number, long size) throws IOException {
        return directories.getLocalPathForWrite(spillIndex(number), size, getConf());
    }

    /** A single spill becomes the output by being renamed, on its own disk. */
    @Override
    public Path getOutputFileForWriteInVolume(Path spill) {
        return new Path(spill.getParent(), "file.out");
    }

    @Override
    public Path getOutputIndexFileForWriteInVolume(Path spillIndex) {
        return new Path(spillIndex.getParent(), "file.out.index");
    }
}
