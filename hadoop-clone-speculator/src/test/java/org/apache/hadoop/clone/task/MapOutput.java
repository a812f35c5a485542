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
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.util.ReflectionUtils;

/** What a map of {@link CountedInput} has left for its reduces. */
final class MapOutput {
    private MapOutput() {}

    /**
     * @return number of each record to the attempt that read it
     * @throws IllegalStateException if a record is there twice
     */
    static SortedMap<Long, String> read(Path localDir, TaskAttemptID attempt) throws IOException {
        return read(localDir, attempt, TaskJvm.job());
    }

    /** The same of a job that compresses or encrypts it. */
    static SortedMap<Long, String> read(Path localDir, TaskAttemptID attempt, JobConf job)
            throws IOException {
        FileSystem local = FileSystem.getLocal(job).getRaw();
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(
                        RunningMap.output(localDir.toString(), attempt)
                                .resolve("file.out")
                                .toUri());
        SpillRecord index = new SpillRecord(file.suffix(".index"), job);
        SortedMap<Long, String> records = new TreeMap<>();
        for (int partition = 0; partition < index.size(); partition++) {
            IndexRecord part = index.getIndex(partition);
            try (FSDataInputStream in = local.open(file)) {
                in.seek(part.startOffset);
                FSDataInputStream plain = CryptoUtils.wrapIfNecessary(job, in);
                long length = part.partLength - CryptoUtils.cryptoPadding(job);
                readPart(new IFile.Reader<>(job, plain, length, codec(job), null), records);
            }
        }
        return records;
    }

    private static CompressionCodec codec(JobConf job) {
        return job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(
                        job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
    }

    private static void readPart(
            IFile.Reader<LongWritable, Text> part, SortedMap<Long, String> records)
            throws IOException {
        DataInputBuffer key = new DataInputBuffer();
        DataInputBuffer value = new DataInputBuffer();
        LongWritable number = new LongWritable();
        Text reader = new Text();
        while (part.nextRawKey(key)) {
            part.nextRawValue(value);
            number.readFields(key);
            reader.readFields(value);
            if (records.put(number.get(), reader.toString()) != null) {
                throw new IllegalStateException("record " + number + " is there twice");
            }
        }
        part.close();
    }
}
