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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapred.TestMap;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.util.ReflectionUtils;

/** Runs records through a collector, and reads what has come of them. */
final class CollectedMap implements SpillSink {
    /** Records of a mapper. */
    interface Records {
        void into(MapOutputCollector<Text, BytesWritable> collector)
                throws IOException, InterruptedException;
    }

    private final JobConf job;
    private final TestMap map;
    private final SpillIds ids;
    final List<SpillNotice> notices = new ArrayList<>();
    Integer spills;
    long lastChain;

    private CollectedMap(JobConf job, Path dir) {
        this.job = job;
        map = new TestMap(job, dir);
        ids = new SpillIds(map.getTaskID(), 1);
    }

    static JobConf job(int partitions) {
        JobConf job = new JobConf();
        job.setNumReduceTasks(partitions);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(BytesWritable.class);
        return job;
    }

    /** A mapper that puts these records out, with per-spill outputs. */
    static CollectedMap perSpill(JobConf job, Path dir, BufferPlan plan, Records records)
            throws Exception {
        CollectedMap collected = new CollectedMap(job, dir);
        PerSpillCollector<Text, BytesWritable> collector = new PerSpillCollector<>(plan, collected);
        collector.init(collected.map.context());
        records.into(collector);
        collected.map.recordsRead();
        collector.flush();
        collector.close();
        return collected;
    }

    /** The same with stock's collector. */
    static CollectedMap stock(JobConf job, Path dir, Records records) throws Exception {
        CollectedMap collected = new CollectedMap(job, dir);
        MapOutputBuffer<Text, BytesWritable> collector = new MapOutputBuffer<>();
        collector.init(collected.map.context());
        records.into(collector);
        collected.map.recordsRead();
        collector.flush();
        collector.close();
        return collected;
    }

    @Override
    public void finished(SpillNotice notice) throws IOException {
        place(notice).files().getOutputFile();
        notices.add(notice);
    }

    @Override
    public void ended(int count, long chain) {
        spills = count;
        lastChain = chain;
    }

    long counter(Enum<?> name) {
        return map.counter(name);
    }

    List<Long> chains() {
        return notices.stream().map(SpillNotice::chain).toList();
    }

    private SpillPlace place(SpillNotice notice) {
        return new SpillPlace(() -> ids.of(0, notice.index(), notice.servedAs()), job, () -> {});
    }

    /**
     * Keys with the lengths of their values, in the order in which the spill's partition has them.
     */
    List<String> spill(int spill, int partition) throws IOException {
        return read(place(notices.get(spill)).files(), partition);
    }

    /** The same of all spills together, sorted. */
    List<String> partition(int partition) throws IOException {
        List<String> all = new ArrayList<>();
        for (SpillNotice notice : notices) {
            all.addAll(spill(notice.index(), partition));
        }
        all.sort(null);
        return all;
    }

    /** What stock's one file holds, sorted. */
    List<String> stockPartition(int partition) throws IOException {
        List<String> all = read(map.getMapOutputFile(), partition);
        all.sort(null);
        return all;
    }

    private List<String> read(MapOutputFile files, int partition) throws IOException {
        FileSystem local = FileSystem.getLocal(job).getRaw();
        IndexRecord part = new SpillRecord(files.getOutputIndexFile(), job).getIndex(partition);
        List<String> records = new ArrayList<>();
        try (FSDataInputStream file = local.open(files.getOutputFile())) {
            file.seek(part.startOffset);
            long length = part.partLength - CryptoUtils.cryptoPadding(job);
            IFile.Reader<Text, BytesWritable> reader =
                    new IFile.Reader<>(
                            job, CryptoUtils.wrapIfNecessary(job, file), length, codec(), null);
            DataInputBuffer in = new DataInputBuffer();
            Text key = new Text();
            BytesWritable value = new BytesWritable();
            while (reader.nextRawKey(in)) {
                key.readFields(in);
                reader.nextRawValue(in);
                value.readFields(in);
                records.add(key + " " + value.getLength());
            }
        }
        return records;
    }

    private CompressionCodec codec() {
        return job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(
                        job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
    }
}
