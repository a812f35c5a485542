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
package org.apache.hadoop.clone.hdfs.read;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.InputStreamDoor;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Stock's client, but for the input streams. */
final class DuplicateReadClient extends InputStreamDoor.Client {
    /** Of a MapReduce task, as stock's client finds it. */
    private static final String TASK_ATTEMPT = "mapreduce.task.attempt.id";

    private final Duplicates duplicates;

    DuplicateReadClient(
            URI uri, Configuration conf, FileSystem.Statistics statistics, ReadSettings settings)
            throws IOException {
        super(uri, conf, statistics);
        this.duplicates = new Duplicates(this, settings, task(conf.get(TASK_ATTEMPT)));
    }

    /**
     * {@code attempt_1_2_m_3_0} is one of {@code attempt_1_2_m_3}; whatever has no number is alone.
     */
    private static String task(String attempt) {
        int end = attempt == null ? -1 : attempt.lastIndexOf('_');
        return end < 0 ? null : attempt.substring(0, end);
    }

    @Override
    protected DFSInputStream newStream(String file, boolean verifyChecksum, LocatedBlocks located)
            throws IOException {
        return new DuplicateReadInputStream(this, file, verifyChecksum, located, duplicates);
    }
}
