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
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics.LongStatistic;

/**
 * Reads a file by position, piece by piece, each as soon as there is the one before, and every read
 * duplicated at once if reads are. Prints the file's SHA-256, and what has become of duplicates.
 * {@code PositionalRead FILE BYTES}
 */
public final class PositionalRead {
    private PositionalRead() {}

    public static void main(String[] arguments) throws Exception {
        Configuration conf = new Configuration();
        conf.set("dfs.client.duplicate.delay", "0");
        Path file = new Path(arguments[0]);
        byte[] piece = new byte[Integer.parseInt(arguments[1])];
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (FileSystem hdfs = FileSystem.get(conf);
                FSDataInputStream in = hdfs.open(file)) {
            long length = hdfs.getFileStatus(file).getLen();
            for (long at = 0; at < length; at += piece.length) {
                int wanted = (int) Math.min(piece.length, length - at);
                in.readFully(at, piece, 0, wanted);
                digest.update(ByteBuffer.wrap(piece, 0, wanted));
            }
        }
        System.out.println(HexFormat.of().formatHex(digest.digest()));
        Iterator<LongStatistic> counts =
                GlobalStorageStatistics.INSTANCE.get("DuplicateReads").getLongStatistics();
        while (counts.hasNext()) {
            LongStatistic count = counts.next();
            System.out.println(count.getName() + " " + count.getValue());
        }
    }
}
