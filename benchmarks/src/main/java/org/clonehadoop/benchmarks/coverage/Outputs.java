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

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.SequenceFile;
import org.clonehadoop.benchmarks.coverage.Kind.Order;

/** Checksums of what jobs wrote. */
final class Outputs {
    private static final byte[] SEQUENCE = {'S', 'E', 'Q'};

    private final Configuration conf;
    private final FileSystem files;

    Outputs(Configuration conf) throws IOException {
        this.conf = conf;
        files = FileSystem.get(conf);
    }

    /**
     * What is below a directory, by path; of {@link Order#NONE} nothing.
     *
     * @throws IOException if a file can't be read
     */
    SortedMap<String, String> checksums(Path directory, Order order) throws IOException {
        SortedMap<String, String> sums = new TreeMap<>();
        if (order == Order.NONE) {
            return sums;
        }
        URI root = files.makeQualified(directory).toUri();
        RemoteIterator<LocatedFileStatus> found = files.listFiles(directory, true);
        while (found.hasNext()) {
            Path file = found.next().getPath();
            // What the committer says of itself isn't output.
            if (!file.getName().equals("_SUCCESS")) {
                String name = root.relativize(file.toUri()).getPath();
                sums.put(name, checksum(file, order));
            }
        }
        return sums;
    }

    private String checksum(Path file, Order order) throws IOException {
        MessageDigest digest = sha256();
        if (isSequence(file)) {
            digestRecords(file, order, digest);
        } else if (order == Order.OF_KEYS) {
            digestLines(file, digest);
        } else {
            try (InputStream in = new DigestInputStream(files.open(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private boolean isSequence(Path file) throws IOException {
        byte[] head = new byte[SEQUENCE.length];
        try (FSDataInputStream in = files.open(file)) {
            in.readFully(head);
            return Arrays.equals(head, SEQUENCE);
        } catch (EOFException shorter) {
            return false;
        }
    }

    private void digestRecords(Path file, Order order, MessageDigest digest) throws IOException {
        List<byte[]> records = new ArrayList<>();
        DataOutputBuffer record = new DataOutputBuffer();
        try (SequenceFile.Reader in =
                new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
            SequenceFile.ValueBytes value = in.createValueBytes();
            while (in.nextRaw(record, value) >= 0) {
                value.writeUncompressedBytes(record);
                records.add(Arrays.copyOf(record.getData(), record.getLength()));
                record.reset();
            }
        }
        if (order == Order.OF_KEYS) {
            records.sort(Arrays::compare);
        }
        records.forEach(digest::update);
    }

    private void digestLines(Path file, MessageDigest digest) throws IOException {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(files.open(file), StandardCharsets.UTF_8))) {
            in.lines()
                    .sorted()
                    .forEach(line -> digest.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }
}
