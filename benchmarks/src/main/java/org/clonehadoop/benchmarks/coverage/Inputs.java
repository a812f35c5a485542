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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/** What the kinds read, the same each time: a few seconds of work, most of it for two maps. */
final class Inputs {
    private static final Path ROOT = new Path("/coverage/in");

    /** Lines of words, in two files. */
    static final Path WORDS = new Path(ROOT, "words");

    /** The same, in twenty small files. */
    static final Path MANY = new Path(ROOT, "many");

    /** Lines of two numbers. */
    static final Path PAIRS = new Path(ROOT, "pairs");

    /** A key of six digits, a tab and a word in each line, sorted; in one file. */
    static final Path LEFT = new Path(ROOT, "left");

    /** The same of other keys. */
    static final Path RIGHT = new Path(ROOT, "right");

    /** TeraSort's records of 100 bytes. */
    static final Path ROWS = new Path(ROOT, "rows");

    /** Sequence files of words and numbers. */
    static final Path SEQUENCES = new Path(ROOT, "sequences");

    /** A file of lines that tasks read beside their input. */
    static final Path SIDE = new Path(ROOT, "side/lines");

    /** The lines in an archive. */
    static final Path ARCHIVE = new Path(ROOT, "side/lines.zip");

    private static final int FILES = 2;
    private static final int LINES = 15_000;

    private final FileSystem files;
    private final Configuration conf;

    Inputs(Configuration conf) throws IOException {
        this.conf = conf;
        files = FileSystem.get(conf);
    }

    void make() throws IOException {
        files.delete(ROOT, true);
        for (int file = 0; file < FILES; file++) {
            Random random = new Random(file);
            words(new Path(WORDS, "part-" + file), random, LINES);
            pairs(new Path(PAIRS, "part-" + file), random);
            rows(new Path(ROWS, "part-" + file), random);
            sequence(new Path(SEQUENCES, "part-" + file), random);
        }
        for (int file = 0; file < 10 * FILES; file++) {
            words(new Path(MANY, "part-" + file), new Random(file), LINES / 10);
        }
        keys(new Path(LEFT, "part-0"), 2, "left");
        keys(new Path(RIGHT, "part-0"), 3, "right");
        words(SIDE, new Random(-1), 1000);
        try (ZipOutputStream zip = new ZipOutputStream(files.create(ARCHIVE));
                InputStream lines = files.open(SIDE)) {
            zip.putNextEntry(new ZipEntry("directory/lines"));
            lines.transferTo(zip);
        }
    }

    private void words(Path file, Random random, int lines) throws IOException {
        try (PrintStream out = text(file)) {
            for (int line = 0; line < lines; line++) {
                for (int word = 0; word < 8; word++) {
                    out.print("word" + random.nextInt(20_000) + (word == 7 ? "\n" : " "));
                }
            }
        }
    }

    private void pairs(Path file, Random random) throws IOException {
        try (PrintStream out = text(file)) {
            for (int line = 0; line < 2 * LINES; line++) {
                out.print(random.nextInt(5000) + " " + random.nextInt(1_000_000) + "\n");
            }
        }
    }

    private void keys(Path file, int step, String word) throws IOException {
        try (PrintStream out = text(file)) {
            for (int key = 0; key < 2 * step * LINES; key += step) {
                out.print(String.format("%06d\t%s%n", key, word));
            }
        }
    }

    private void rows(Path file, Random random) throws IOException {
        byte[] row = new byte[100];
        try (OutputStream out = files.create(file)) {
            for (int line = 0; line < LINES; line++) {
                random.nextBytes(row);
                out.write(row);
            }
        }
    }

    private void sequence(Path file, Random random) throws IOException {
        try (SequenceFile.Writer out =
                SequenceFile.createWriter(
                        conf,
                        SequenceFile.Writer.file(file),
                        SequenceFile.Writer.keyClass(Text.class),
                        SequenceFile.Writer.valueClass(IntWritable.class))) {
            for (int record = 0; record < 4 * LINES; record++) {
                out.append(
                        new Text("word" + random.nextInt(20_000)),
                        new IntWritable(random.nextInt()));
            }
        }
    }

    private PrintStream text(Path file) throws IOException {
        return new PrintStream(files.create(file), false, StandardCharsets.UTF_8);
    }
}
