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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;

/**
 * What duplicates cost where nothing is slow: small reads by position, and a stream that is read in
 * records of a hundred bytes as TeraSort's maps read theirs; all from the page cache.
 */
@Command(name = "reads/run --idle", sortOptions = false, mixinStandardHelpOptions = true)
public final class IdleReads extends Benchmark {
    private static final int READ = 64 << 10;
    private static final int FILE = 32 << 20;

    /** In turns: what both share, such as a slow second, cancels out. */
    private static final int TURN = 200;

    private static final int RECORD = 100;

    /** Of stock's time. */
    private static final double MOST = 1.03;

    private static final int WARM_UP_TURNS = 10;
    private static final List<Scheme> SCHEMES = List.of(Scheme.SINGLE, Scheme.DAS);

    private final Map<Scheme, FSDataInputStream> streams = new EnumMap<>(Scheme.class);
    private final byte[] buffer = new byte[READ];
    private Random random = new Random();

    @Override
    protected void measure(Summary summary) throws Exception {
        Configuration conf = new Configuration();
        try (FileSystem stock = FileSystem.newInstance(Scheme.SINGLE.client(conf, 0, 0));
                FileSystem ours = FileSystem.newInstance(Scheme.DAS.client(conf, 0, 16))) {
            Objects file = Objects.create(stock, 1, FILE);
            streams.put(Scheme.SINGLE, stock.open(file.file(0)));
            streams.put(Scheme.DAS, ours.open(file.file(0)));
            report(summary, "64 KB by position, nothing slow", "pread", this::readByPosition);
            report(summary, "32 MB in records of 100 bytes", "records", IdleReads::readByRecord);
        }
    }

    private void report(Summary summary, String title, String what, Turn turn) throws IOException {
        DuplicateCounts.reset();
        Map<Scheme, Series> millis = byTurns(turn);
        DuplicateCounts duplicates = DuplicateCounts.now();
        Series single = millis.get(Scheme.SINGLE);
        Series das = millis.get(Scheme.DAS);
        summary.section(title);
        summary.add("idle_" + what + "_ms_single", "stock", single);
        summary.add("idle_" + what + "_ms_das", "das", das);
        summary.addPaired(
                "idle_" + what + "_ratio", "das / stock", das.over(single), Goal.atMost(MOST));
        summary.heading("  Duplicates, in all turns", "sent", "won");
        summary.addAll(
                "das",
                List.of("duplicates_sent_" + what, "duplicates_won_" + what),
                List.of((double) duplicates.sent(), (double) duplicates.won()),
                "");
    }

    /** Reads something of a file, and says in milliseconds how long that took. */
    @FunctionalInterface
    private interface Turn {
        double read(FSDataInputStream in) throws IOException;
    }

    private Map<Scheme, Series> byTurns(Turn turn) throws IOException {
        Map<Scheme, Series> millis = new EnumMap<>(Scheme.class);
        SCHEMES.forEach(scheme -> millis.put(scheme, new Series()));
        for (int number = 0; number < WARM_UP_TURNS + runs(); number++) {
            // Either is first as often.
            for (int i = 0; i < SCHEMES.size(); i++) {
                Scheme scheme = SCHEMES.get((i + number) % SCHEMES.size());
                random = new Random(number);
                double took = turn.read(streams.get(scheme));
                if (number >= WARM_UP_TURNS) {
                    millis.get(scheme).add(took);
                }
            }
        }
        return millis;
    }

    @Override
    protected int runs() {
        return quick() ? 20 : 60;
    }

    /** What one read takes, as the mean of many. */
    private double readByPosition(FSDataInputStream in) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < TURN; i++) {
            in.readFully(random.nextInt(FILE - READ), buffer);
        }
        return (System.nanoTime() - begin) / 1e6 / TURN;
    }

    private static double readByRecord(FSDataInputStream in) throws IOException {
        byte[] record = new byte[RECORD];
        in.seek(0);
        long begin = System.nanoTime();
        for (int i = 0; i < FILE / RECORD; i++) {
            in.readFully(record);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    public static void main(String[] arguments) {
        execute(new IdleReads(), arguments);
    }
}
