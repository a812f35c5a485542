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
package org.clonehadoop.benchmarks.workloads;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A job's input in several files of about the same length. The same lines each time. */
record InputFiles(Configuration conf, Path folder, int count) {
    /**
     * @throws IOException if the folder is there, or can't be written
     */
    void lines(int lines, IntFunction<CharSequence> line) throws IOException {
        FileSystem files = folder.getFileSystem(conf);
        for (int file = 0; file < count; file++) {
            Path path = new Path(folder, String.format("part-%05d", file));
            try (Writer out =
                    new BufferedWriter(
                            new OutputStreamWriter(
                                    files.create(path, false), StandardCharsets.US_ASCII))) {
                long end = (long) lines * (file + 1) / count;
                for (long number = (long) lines * file / count; number < end; number++) {
                    out.append(line.apply((int) number)).append('\n');
                }
            }
        }
    }
}
