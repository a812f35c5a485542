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
package org.clonehadoop.benchmarks.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.clonehadoop.benchmarks.coverage.Kind.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsTest {
    @TempDir private java.nio.file.Path directory;

    private final Configuration conf = new Configuration();

    private SortedMap<String, String> checksums(Order order) throws IOException {
        return new Outputs(conf).checksums(new Path(directory.toUri()), order);
    }

    private void write(String name, String text) throws IOException {
        java.nio.file.Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void everyByteAndEveryNameCounts() throws IOException {
        write("part-0", "a\nb\n");
        SortedMap<String, String> before = checksums(Order.EXACT);
        assertThat(before).containsOnlyKeys("part-0");
        write("part-0", "b\na\n");
        assertThat(checksums(Order.EXACT)).isNotEqualTo(before);
        write("part-0", "a\nb\n");
        assertThat(checksums(Order.EXACT)).isEqualTo(before);
        write("sub/part-1", "");
        assertThat(checksums(Order.EXACT)).containsOnlyKeys("part-0", "sub/part-1");
    }

    @Test
    void whatTheCommitterSaysIsNoOutput() throws IOException {
        write("_SUCCESS", "a report");
        assertThat(checksums(Order.EXACT)).isEmpty();
    }

    @Test
    void ofKeysLinesMayComeInAnyOrder() throws IOException {
        write("part-0", "a\nb\n");
        SortedMap<String, String> before = checksums(Order.OF_KEYS);
        write("part-0", "b\na\n");
        assertThat(checksums(Order.OF_KEYS)).isEqualTo(before);
    }

    /** Each has random bytes in its header. */
    @Test
    void sequenceFilesAreComparedByTheirRecords() throws IOException {
        sequence(1);
        SortedMap<String, String> before = checksums(Order.EXACT);
        sequence(1);
        assertThat(checksums(Order.EXACT)).isEqualTo(before);
        sequence(2);
        assertThat(checksums(Order.EXACT)).isNotEqualTo(before);
    }

    private void sequence(int value) throws IOException {
        try (SequenceFile.Writer out =
                SequenceFile.createWriter(
                        conf,
                        SequenceFile.Writer.file(new Path(directory.resolve("part-0").toUri())),
                        SequenceFile.Writer.keyClass(Text.class),
                        SequenceFile.Writer.valueClass(IntWritable.class))) {
            out.append(new Text("key"), new IntWritable(value));
        }
    }
}
