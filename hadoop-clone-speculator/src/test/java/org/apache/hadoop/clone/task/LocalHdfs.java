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

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.net.unix.DomainSocket;

/**
 * HDFS with {@link HdfsLines} whose DataNode hands out its blocks' files: in a JVM of its own, as
 * that takes Hadoop's native library.
 */
final class LocalHdfs implements Closeable {
    private static final String READY = "lines: ";
    private static final String SEGMENTS = "segments: ";
    private static final String DELETE = "delete";

    private final Path directory;
    private final Process process;
    private final BufferedReader said;
    private final PrintStream questions;

    /** All of the lines. */
    final FileSplit lines;

    /**
     * @param directory an empty one, with a short path: a socket is made in it
     * @param block size of the lines' blocks, in bytes
     */
    LocalHdfs(Path directory, long block) throws IOException {
        this.directory = directory;
        process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                NativeIo.LIBRARY_PATH,
                                "-cp",
                                NativeIo.with(System.getProperty("java.class.path")),
                                LocalHdfs.class.getName(),
                                directory.toString(),
                                Long.toString(block))
                        .redirectError(directory.resolve("stderr").toFile())
                        .start();
        said =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        String[] split = after(READY).split(" ");
        lines =
                new FileSplit(
                        new org.apache.hadoop.fs.Path(split[0]),
                        0,
                        Long.parseLong(split[1]),
                        new String[0]);
    }

    /** A job of its lines that reads its blocks' files itself. */
    JobConf job() {
        JobConf job = HdfsLines.job();
        readLocally(job, directory);
        return job;
    }

    /** Pieces of memory that its DataNode shares with clients. */
    int segments() throws IOException {
        questions.println();
        return Integer.parseInt(after(SEGMENTS));
    }

    /** Deletes the lines; of its blocks the DataNode learns a few seconds later. */
    void delete() throws IOException {
        questions.println(DELETE);
        after(SEGMENTS);
    }

    private String after(String prefix) throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith(prefix)) {
            line = said.readLine();
        }
        if (line == null) {
            throw new IOException(Files.readString(directory.resolve("stderr")));
        }
        return line.substring(prefix.length());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private static void readLocally(Configuration conf, Path directory) {
        conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, true);
        conf.set("dfs.domain.socket.path", directory.resolve("dn").toString());
    }

    /** That JVM: its directory, and the size of blocks. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        DomainSocket.disableBindPathValidation(); // /tmp is anybody's
        Configuration conf = new Configuration();
        readLocally(conf, directory);
        MiniDFSCluster hdfs = HdfsLines.start(directory.resolve("hdfs"), conf);
        FileSplit lines = HdfsLines.write(hdfs, Long.parseLong(arguments[1]));
        System.out.println(READY + lines.getPath() + " " + lines.getLength());
        BufferedReader questions =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String question;
        while ((question = questions.readLine()) != null) {
            if (question.equals(DELETE)) {
                hdfs.getFileSystem().delete(lines.getPath(), false);
            }
            AtomicInteger count = new AtomicInteger();
            ShortCircuitRegistry registry = hdfs.getDataNodes().get(0).getShortCircuitRegistry();
            registry.visit(
                    (segments, slots) -> {
                        count.set(segments.size());
                        return true;
                    });
            System.out.println(SEGMENTS + count);
        }
        hdfs.shutdown();
    }
}
