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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeRuleTest {
    @TempDir java.nio.file.Path scratch;

    @Test
    void asManyAsTheFactorAreMergedAtOnce() {
        assertThat(MergeRule.rewritten(100, 100)).isZero();
        assertThat(MergeRule.rewritten(1, 10)).isZero();
    }

    /** 11 streams, 10 at once: the first pass merges 2 of them, so that the last one is full. */
    @Test
    void theFirstPassMergesNoMoreThanItMust() {
        assertThat(MergeRule.rewritten(11, 10)).isCloseTo(2 / 11.0, within(1e-9));
    }

    /** 100 streams, 10 at once: all are written once before the last merge. */
    @Test
    void aFullTreeOfTwoLevelsWritesAllOnce() {
        assertThat(MergeRule.rewritten(100, 10)).isCloseTo(1, within(0.02));
    }

    /** Segments of one record each: what is written before the last merge can be counted. */
    @ParameterizedTest
    @CsvSource({
        "1, 10",
        "10, 10",
        "11, 10",
        "19, 10",
        "20, 10",
        "28, 10",
        "91, 10",
        "100, 10",
        "101, 10",
        "99, 100",
        "100, 100",
        "101, 100",
        "199, 100",
        "250, 100",
        "5, 2",
        "9, 3"
    })
    void hadoopsMergerWritesAsMuch(int segments, int factor) throws IOException {
        assertThat(segments * MergeRule.rewritten(segments, factor))
                .isCloseTo(writtenByHadoop(segments, factor), within(1e-6));
    }

    private long writtenByHadoop(int segments, int factor) throws IOException {
        Configuration conf = new Configuration();
        conf.set(MRConfig.LOCAL_DIR, scratch.toString());
        FileSystem local = FileSystem.getLocal(conf).getRaw();
        List<Merger.Segment<IntWritable, IntWritable>> all = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            Path file = new Path(scratch.toString(), "segment-" + i);
            try (FSDataOutputStream out = local.create(file)) {
                IFile.Writer<IntWritable, IntWritable> writer =
                        new IFile.Writer<>(
                                conf, out, IntWritable.class, IntWritable.class, null, null);
                writer.append(new IntWritable(i), new IntWritable(i));
                writer.close();
            }
            all.add(new Merger.Segment<>(conf, local, file, null, false));
        }
        @SuppressWarnings("unchecked") // Hadoop's own implement it without a type
        RawComparator<IntWritable> comparator = new IntWritable.Comparator();
        Counters.Counter written = new Counters.Counter();
        Merger.merge(
                        conf,
                        local,
                        IntWritable.class,
                        IntWritable.class,
                        all,
                        factor,
                        new Path(scratch.toString(), "merged"),
                        comparator,
                        Reporter.NULL,
                        true,
                        null,
                        written,
                        new Progress())
                .close();
        return written.getValue();
    }

    @Test
    void moreSegmentsAreNeverWrittenLess() {
        double before = 0;
        for (int segments = 10; segments <= 100; segments += 9) {
            assertThat(MergeRule.rewritten(segments, 10)).isGreaterThanOrEqualTo(before);
            before = MergeRule.rewritten(segments, 10);
        }
    }
}
