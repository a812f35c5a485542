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
package org.clonehadoop.benchmarks.reads;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** For how long a stream stands still if its DataNode is stopped in the midst of it. */
@Command(name = "reads/run --sick", sortOptions = false, mixinStandardHelpOptions = true)
public final class SickReads extends Benchmark {
    private static final int FILE = 96 << 20;
    private static final int WINDOW = 4 << 20;
    private static final int BEFORE = 48 << 20;
    private static final int READ = 64 << 10;

    @Option(
            names = "--orders",
            hidden = true,
            required = true,
            description = "Where the script finds what to do, stop HOST or continue HOST.")
    private Path orders;

    private final byte[] buffer = new byte[READ];

    @Override
    protected void measure(Summary summary) throws Exception {
        Configuration conf = new Configuration();
        Objects file;
        try (FileSystem system = FileSystem.newInstance(Scheme.SINGLE.client(conf, 0, 0))) {
            file = Objects.create(system, 1, FILE);
        }
        Series window = new Series();
        Series ours = new Series();
        Series stock = new Series();
        for (int run = 0; run < runs(); run++) {
            progress("run " + (run + 1) + " of " + runs());
            ours.add(gapMillis(Scheme.DAS.client(conf, 0, 16), file, window));
        }
        progress("stock, which waits for a minute");
        stock.add(gapMillis(Scheme.SINGLE.client(conf, 0, 0), file, new Series()));
        summary.section("A stream whose DataNode is stopped");
        summary.add("sick_window_ms", "a window of 4 MB before that", window);
        summary.add("sick_stock_gap_ms", "stands still, stock", stock);
        summary.add("sick_gap_ms", "stands still, das", ours, Goal.atMost(2 * window.median()));
    }

    private double gapMillis(Configuration conf, Objects file, Series window) throws Exception {
        try (FileSystem system = FileSystem.newInstance(conf);
                HdfsDataInputStream in = (HdfsDataInputStream) system.open(file.file(0))) {
            long begin = System.nanoTime();
            read(in, BEFORE);
            window.add((System.nanoTime() - begin) / 1e6 / BEFORE * WINDOW);
            String host = in.getCurrentDatanode().getHostName();
            new Orders(orders).give("stop " + host);
            double gap = read(in, FILE - BEFORE) / 1e6;
            new Orders(orders).give("continue " + host);
            return gap;
        }
    }

    /** Returns the longest that any of its reads took, in nanoseconds. */
    private long read(HdfsDataInputStream in, int bytes) throws IOException {
        long longest = 0;
        for (int left = bytes; left > 0; left -= READ) {
            long begin = System.nanoTime();
            in.readFully(buffer, 0, Math.min(left, READ));
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        return longest;
    }

    public static void main(String[] arguments) {
        execute(new SickReads(), arguments);
    }
}
