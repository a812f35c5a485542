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
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * Reads a file as a stream. After some bytes it prints the host that it reads from, and waits for a
 * line; then it reads the rest, and prints the file's SHA-256, and the host that it then reads
 * from. A DataNode that doesn't answer is waited for without end. {@code PausedRead FILE BYTES}
 */
public final class PausedRead {
    private PausedRead() {}

    public static void main(String[] arguments) throws Exception {
        Configuration conf = new Configuration();
        conf.set("dfs.client.socket-timeout", "3600000");
        Path file = new Path(arguments[0]);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (FileSystem hdfs = FileSystem.get(conf);
                HdfsDataInputStream in = (HdfsDataInputStream) hdfs.open(file)) {
            byte[] some = new byte[Integer.parseInt(arguments[1])];
            in.readFully(some);
            digest.update(some);
            System.out.println(in.getCurrentDatanode().getHostName());
            if (System.in.read() < 0) {
                throw new IllegalStateException("nobody says that it goes on");
            }
            byte[] rest = new byte[(int) hdfs.getFileStatus(file).getLen() - some.length];
            in.readFully(rest);
            digest.update(rest);
            System.out.println(HexFormat.of().formatHex(digest.digest()));
            System.out.println(in.getCurrentDatanode().getHostName());
        }
    }
}
