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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.SpillProgress;
import org.apache.hadoop.mapred.TestMap;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hadoop.util.HeapSort;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.IndexedSorter;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PerSpillCollectorTest {
    private static final int PARTITIONS = 3;
    private static final BufferPlan SMALLEST = new BufferPlan(1, 0.8f);

    @TempDir Path dir;

    /** About 50 bytes a record with its bookkeeping. */
    private static CollectedMap.Records records(int count, int mostBytes) {
        return collector -> {
            Random random = new Random(7);
            for (int i = 0; i < count; i++) {
                Text key = new Text("key" + random.nextInt(1000));
                BytesWritable value = new BytesWritable(new byte[random.nextInt(mostBytes)]);
                collector.collect(key, value, random.nextInt(PARTITIONS));
            }
        };
    }

    private Path fresh(String name) throws IOException {
        return Files.createDirectory(dir.resolve(name));
    }

    private void assertSameAsStock(JobConf job, CollectedMap.Records records) throws Exception {
        CollectedMap stock = CollectedMap.stock(new JobConf(job), fresh("stock"), records);
        CollectedMap ours =
                CollectedMap.perSpill(new JobConf(job), fresh("ours"), SMALLEST, records);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(ours.partition(partition)).isEqualTo(stock.stockPartition(partition));
        }
        for (TaskCounter counter :
                List.of(TaskCounter.MAP_OUTPUT_RECORDS, TaskCounter.MAP_OUTPUT_BYTES)) {
            assertThat(ours.counter(counter)).as(counter.name()).isEqualTo(stock.counter(counter));
        }
    }

    @Test
    void putsOutWhatStockDoes() throws Exception {
        assertSameAsStock(CollectedMap.job(PARTITIONS), records(100_000, 30));
    }

    @Test
    void sortsEachPartitionOfEachSpill() throws Exception {
        CollectedMap map =
                CollectedMap.perSpill(
                        CollectedMap.job(PARTITIONS), dir, SMALLEST, records(100_000, 30));
        assertThat(map.spills).isGreaterThan(3).isEqualTo(map.notices.size());
        for (int spill = 0; spill < map.spills; spill++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(map.spill(spill, partition).stream().map(r -> r.split(" ")[0]))
                        .isSorted();
            }
        }
    }

    @Test
    void numbersSpillsAndChainsThem() throws Exception {
        CollectedMap map =
                CollectedMap.perSpill(
                        CollectedMap.job(PARTITIONS), dir, SMALLEST, records(100_000, 30));
        long before = SpillNotice.NO_CHAIN;
        for (int spill = 0; spill < map.spills; spill++) {
            SpillNotice notice = map.notices.get(spill);
            assertThat(notice.index()).isEqualTo(spill);
            assertThat(notice.previousChain()).isEqualTo(before);
            before = notice.chain();
        }
        assertThat(map.lastChain).isEqualTo(before);
    }

    @Test
    void cutsAtTheSameRecordsHoweverThreadsRun() throws Exception {
        CollectedMap.Records records = records(60_000, 40);
        List<List<Long>> chains = new ArrayList<>();
        for (int run = 0; run < 5; run++) {
            CollectedMap.Records delayed =
                    collector ->
                            records.into(
                                    new DelayedCollector<>(collector, ThreadLocalRandom.current()));
            chains.add(
                    CollectedMap.perSpill(
                                    CollectedMap.job(PARTITIONS),
                                    fresh("run" + run),
                                    SMALLEST,
                                    run == 0 ? records : delayed)
                            .chains());
        }
        assertThat(chains.get(0)).hasSizeGreaterThan(2);
        assertThat(chains).allMatch(chains.get(0)::equals);
    }

    @Test
    void makesAnotherChainOfOtherRecords() throws Exception {
        CollectedMap.Records records = records(40_000, 40);
        CollectedMap one =
                CollectedMap.perSpill(
                        CollectedMap.job(PARTITIONS), fresh("one"), SMALLEST, records);
        CollectedMap other =
                CollectedMap.perSpill(
                        CollectedMap.job(PARTITIONS),
                        fresh("other"),
                        SMALLEST,
                        collector -> {
                            records.into(collector);
                            collector.collect(new Text("last"), new BytesWritable(), 0);
                        });
        int last = one.spills - 1;
        assertThat(other.chains().subList(0, last)).isEqualTo(one.chains().subList(0, last));
        assertThat(other.chains().get(last)).isNotEqualTo(one.chains().get(last));
    }

    @Test
    void takesRecordsLargerThanTheBuffer() throws Exception {
        CollectedMap.Records huge =
                collector -> {
                    collector.collect(new Text("a"), new BytesWritable(new byte[300_000]), 0);
                    collector.collect(new Text("b"), new BytesWritable(new byte[900_000]), 1);
                    collector.collect(new Text("c"), new BytesWritable(new byte[3_000_000]), 2);
                    collector.collect(new Text("d"), new BytesWritable(new byte[3_000_000]), 2);
                    collector.collect(new Text("e"), new BytesWritable(), 0);
                };
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setInt(MRJobConfig.IO_SORT_MB, 1); // stock counts such records in another way
        assertSameAsStock(job, huge);
        CollectedMap again =
                CollectedMap.perSpill(CollectedMap.job(PARTITIONS), fresh("again"), SMALLEST, huge);
        CollectedMap oncemore =
                CollectedMap.perSpill(CollectedMap.job(PARTITIONS), fresh("more"), SMALLEST, huge);
        assertThat(again.chains()).isEqualTo(oncemore.chains());
    }

    /** As stock's collector: comparators and combiners needn't bear it. */
    @Test
    @Timeout(60)
    void neverSortsTwiceAtOnce() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setOutputKeyComparatorClass(LonelyComparator.class);
        CollectedMap.perSpill(
                job,
                dir,
                SMALLEST,
                collector -> {
                    put(collector, 110, 10_000); // more than the first spill takes
                    put(collector, 5, 100_000);
                    put(collector, 1, 800_000); // doesn't fit: those before it are sorted
                });
        assertThat(LonelyComparator.USERS).contains("SpillThread", SpillCollector.THREAD);
        assertThat(LonelyComparator.overlapped).isFalse();
    }

    private static void put(
            MapOutputCollector<Text, BytesWritable> collector, int records, int bytes)
            throws IOException, InterruptedException {
        for (int record = 0; record < records; record++) {
            collector.collect(new Text("key" + record), new BytesWritable(new byte[bytes]), 0);
        }
    }

    /** Holds the writer up until another thread wants to sort as well. */
    public static final class LonelyComparator extends Text.Comparator {
        static final Set<String> USERS = ConcurrentHashMap.newKeySet();
        static volatile boolean overlapped;
        private static final AtomicInteger AT_ONCE = new AtomicInteger();

        @Override
        public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
            if (AT_ONCE.incrementAndGet() > 1) {
                overlapped = true;
            }
            String user = Thread.currentThread().getName();
            if (USERS.add(user) && user.equals(SpillCollector.THREAD)) {
                while (!overlapped && !isOtherWaiting()) {
                    Thread.onSpinWait();
                }
            }
            int order = super.compare(b1, s1, l1, b2, s2, l2);
            AT_ONCE.decrementAndGet();
            return order;
        }

        private static boolean isOtherWaiting() {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(thread -> thread.getKey().getState() == Thread.State.TIMED_WAITING)
                    .flatMap(thread -> Stream.of(thread.getValue()))
                    .anyMatch(frame -> frame.getMethodName().equals("getSpillFileForWrite"));
        }
    }

    /**
     * A program's own watchdog may interrupt a mapper that waits, which writes the record again.
     */
    @Test
    @Timeout(60)
    void hasntTakenARecordWhoseWriterWasInterrupted() throws Exception {
        int records = 100_000; // more than two spills take
        AtomicInteger interrupted = new AtomicInteger();
        JobConf job = CollectedMap.job(1);
        job.setOutputKeyComparatorClass(HeldComparator.class);
        CollectedMap map =
                CollectedMap.perSpill(
                        job,
                        dir,
                        SMALLEST,
                        collector -> {
                            for (int record = 0; record < records; record++) {
                                Thread.currentThread().interrupt();
                                try {
                                    putOne(collector, record);
                                } catch (InterruptedException e) {
                                    interrupted.incrementAndGet();
                                    HeldComparator.GATE.countDown();
                                    putOne(collector, record);
                                }
                            }
                            Thread.interrupted();
                        });
        assertThat(interrupted).hasPositiveValue();
        assertThat(map.partition(0)).hasSize(records).doesNotHaveDuplicates();
    }

    private static void putOne(MapOutputCollector<Text, BytesWritable> collector, int record)
            throws IOException, InterruptedException {
        collector.collect(new Text("key" + record), new BytesWritable(new byte[20]), 0);
    }

    /** The writer waits for the mapper to have been interrupted. */
    public static final class HeldComparator extends Text.Comparator {
        static final CountDownLatch GATE = new CountDownLatch(1);

        @Override
        public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
            if (Thread.currentThread().getName().equals(SpillCollector.THREAD)) {
                Uninterruptibles.awaitUninterruptibly(GATE);
            }
            return super.compare(b1, s1, l1, b2, s2, l2);
        }
    }

    @Test
    void sortsEachSpillOnceAndAsTheJobHasIt() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setClass(MRJobConfig.MAP_SORT_CLASS, CountingSort.class, IndexedSorter.class);
        CountingSort.sorts.set(0);
        CollectedMap map = CollectedMap.perSpill(job, dir, SMALLEST, records(100_000, 30));
        assertThat(map.spills).isGreaterThan(3);
        assertThat(CountingSort.sorts).hasValue(map.spills);
        assertThat(job.getClass(MRJobConfig.MAP_SORT_CLASS, null)).isEqualTo(CountingSort.class);
    }

    /** A sorter of the job's own. */
    public static final class CountingSort implements IndexedSorter {
        static final AtomicInteger sorts = new AtomicInteger();

        @Override
        public void sort(IndexedSortable records, int from, int to) {
            sort(records, from, to, null);
        }

        @Override
        public void sort(IndexedSortable records, int from, int to, Progressable progress) {
            sorts.incrementAndGet();
            new HeapSort().sort(records, from, to, progress);
        }
    }

    @Test
    void holdsASortOfWhichNothingIsOnDisk() throws Exception {
        List<SpillNotice> published = new ArrayList<>();
        TestMap map = new TestMap(CollectedMap.job(PARTITIONS), dir);
        PerSpillCollector<Text, BytesWritable> collector =
                new PerSpillCollector<>(SMALLEST, new CountingSink(published));
        collector.init(map.context());
        Object key = collector.sorts().newKey();
        collector.holdSort(key);
        for (int record = 0; collector.underWay().size() < 2; record++) {
            putOne(collector, record);
        }
        await().until(collector.sorts()::isHeld);
        assertThat(collector.sorts().isSorting()).isTrue();
        assertThat(collector.isQuiet()).isTrue();
        try (Stream<Path> files = Files.walk(dir)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }

        collector.sorts().open();
        collector.holdSort(key); // too late
        map.recordsRead();
        collector.flush();
        collector.close();
        assertThat(published).hasSize(2);
        assertThat(collector.sorts().isSorting()).isFalse();
    }

    @Test
    void saysHowFarASpillIsWritten() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.set("fs.file.impl", WatchedDisk.class.getName());
        job.setBoolean("fs.file.impl.disable.cache", true);
        TestMap map = new TestMap(job, dir);
        PerSpillCollector<Text, BytesWritable> collector =
                new PerSpillCollector<>(SMALLEST, new CountingSink(new ArrayList<>()));
        collector.init(map.context());
        List<SpillProgress> seen = new ArrayList<>();
        WatchedDisk.beforeWrites = () -> collector.progress().ifPresent(seen::add);
        for (int record = 0; record < 1000; record++) {
            putOne(collector, record);
        }
        assertThat(collector.progress()).isEmpty();
        map.recordsRead();
        collector.flush();
        collector.close();
        assertThat(collector.progress()).isEmpty();
        long bytes =
                map.context().getReporter().getCounter(TaskCounter.MAP_OUTPUT_BYTES).getCounter();
        assertThat(seen).hasSizeGreaterThan(5).allMatch(spill -> spill.least() == bytes);
        assertThat(seen.stream().map(SpillProgress::written)).isSorted().startsWith(0L);
        assertThat(seen.get(seen.size() - 1).written()).isBetween(bytes / 2, bytes * 3 / 2);
    }

    /** Local files, of which spills' writes are seen. */
    public static final class WatchedDisk extends LocalFileSystem {
        static volatile Runnable beforeWrites;

        public WatchedDisk() {
            super(
                    new RawLocalFileSystem() {
                        @Override
                        protected OutputStream createOutputStreamWithMode(
                                org.apache.hadoop.fs.Path file, boolean append, FsPermission mode)
                                throws IOException {
                            OutputStream out = super.createOutputStreamWithMode(file, append, mode);
                            return file.getName().equals("spill0.out") ? watched(out) : out;
                        }
                    });
        }

        private static OutputStream watched(OutputStream out) {
            return new FilterOutputStream(out) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    beforeWrites.run();
                    out.write(bytes, from, length);
                }
            };
        }
    }

    private record CountingSink(List<SpillNotice> published) implements SpillSink {
        @Override
        public void finished(SpillNotice notice) {
            published.add(notice);
        }

        @Override
        public void ended(int spills, long chain) {
            assertThat(published).hasSize(spills);
        }
    }

    @Test
    void publishesNothingForAnEmptyMap() throws Exception {
        CollectedMap map =
                CollectedMap.perSpill(CollectedMap.job(PARTITIONS), dir, SMALLEST, collector -> {});
        assertThat(map.spills).isZero();
        assertThat(map.lastChain).isEqualTo(SpillNotice.NO_CHAIN);
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void compressesLikeStock() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setCompressMapOutput(true);
        job.setMapOutputCompressorClass(GzipCodec.class);
        assertSameAsStock(job, records(60_000, 40));
    }

    @Test
    void combinesEachSpill() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setCombinerClass(LongestValue.class);
        CollectedMap map = CollectedMap.perSpill(job, dir, SMALLEST, records(60_000, 40));
        for (int spill = 0; spill < map.spills; spill++) {
            assertThat(map.spill(spill, 0).stream().map(r -> r.split(" ")[0]))
                    .doesNotHaveDuplicates();
        }
        assertThat(map.counter(TaskCounter.COMBINE_INPUT_RECORDS)).isEqualTo(60_000);
        assertThat(map.counter(TaskCounter.COMBINE_OUTPUT_RECORDS))
                .isEqualTo(map.counter(TaskCounter.SPILLED_RECORDS));
    }

    @Test
    void encryptsSpillsAndChainsWhatIsInThem() throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("encrypted");
        Credentials credentials = new Credentials();
        TokenCache.setEncryptedSpillKey(new byte[16], credentials);
        user.addCredentials(credentials);
        user.doAs(
                (PrivilegedExceptionAction<Void>)
                        () -> {
                            encrypts();
                            return null;
                        });
    }

    private void encrypts() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
        CollectedMap.Records records = records(40_000, 40);
        assertSameAsStock(job, records);
        CollectedMap one = CollectedMap.perSpill(new JobConf(job), fresh("one"), SMALLEST, records);
        CollectedMap two = CollectedMap.perSpill(new JobConf(job), fresh("two"), SMALLEST, records);
        assertThat(one.chains()).hasSizeGreaterThan(1).isEqualTo(two.chains());
    }

    @Test
    void leavesTheJobsConfigurationAsItWas() throws Exception {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.set(MRJobConfig.IO_SORT_MB, "7");
        CollectedMap.perSpill(job, dir, SMALLEST, records(10, 10));
        assertThat(job.get(MRJobConfig.IO_SORT_MB)).isEqualTo("7");
        assertThat(job.getFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.8f)).isEqualTo(0.8f);
    }

    @Test
    void publishesNothingMoreOfAMapperThatHasFailed() throws Exception {
        List<SpillNotice> published = new ArrayList<>();
        TestMap map = new TestMap(CollectedMap.job(PARTITIONS), dir);
        PerSpillCollector<Text, BytesWritable> collector =
                new PerSpillCollector<>(SMALLEST, sink(published));
        collector.init(map.context());
        collector.collect(new Text("key"), new BytesWritable(), 0);
        collector.flush();
        collector.close();
        assertThat(published).isEmpty();
        try (Stream<Path> left = Files.list(dir)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void failsTheMapWhenASpillCantBePublished() throws Exception {
        TestMap map = new TestMap(CollectedMap.job(PARTITIONS), dir);
        PerSpillCollector<Text, BytesWritable> collector =
                new PerSpillCollector<>(
                        SMALLEST,
                        new SpillSink() {
                            @Override
                            public void finished(SpillNotice notice) throws IOException {
                                throw new IOException("nobody there");
                            }

                            @Override
                            public void ended(int spills, long chain) {
                                throw new AssertionError("a spill is missing");
                            }
                        });
        collector.init(map.context());
        collector.collect(new Text("key"), new BytesWritable(), 0);
        map.recordsRead();
        assertThatThrownBy(collector::flush)
                .isInstanceOf(IOException.class)
                .hasRootCauseMessage("nobody there");
    }

    private static SpillSink sink(List<SpillNotice> published) {
        return new SpillSink() {
            @Override
            public void finished(SpillNotice notice) {
                published.add(notice);
            }

            @Override
            public void ended(int spills, long chain) {
                throw new AssertionError("the mapper has failed");
            }
        };
    }

    /** A combiner: one value of each key. */
    public static final class LongestValue extends MapReduceBase
            implements Reducer<Text, BytesWritable, Text, BytesWritable> {
        @Override
        public void reduce(
                Text key,
                Iterator<BytesWritable> values,
                OutputCollector<Text, BytesWritable> output,
                Reporter reporter)
                throws IOException {
            byte[] longest = {};
            while (values.hasNext()) {
                byte[] value = values.next().copyBytes();
                longest = value.length > longest.length ? value : longest;
            }
            output.collect(key, new BytesWritable(longest));
        }
    }
}
