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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collector, registry, ShuffleHandler and shuffle together, without a cluster. */
@Timeout(120)
class PerSpillShuffleTest {
    private static final int PARTITIONS = 2;

    @TempDir Path dir;

    /** Records of a map, and what reduces should get of them. */
    private static final class Made implements CollectedMap.Records {
        private final int map;
        private final int count;
        private final int bytes;

        /**
         * @param bytes of each value
         */
        Made(int map, int count, int bytes) {
            this.map = map;
            this.count = count;
            this.bytes = bytes;
        }

        /** None is in order, none is there twice. */
        private String key(int record) {
            return Integer.toHexString(Integer.reverse(record + 1)) + "-" + map;
        }

        private static int partition(int record) {
            return record % PARTITIONS;
        }

        @Override
        public void into(MapOutputCollector<Text, BytesWritable> collector)
                throws IOException, InterruptedException {
            for (int record = 0; record < count; record++) {
                String key = key(record);
                BytesWritable value = new BytesWritable(new byte[bytes + record % 3]);
                collector.collect(new Text(key), value, partition(record));
            }
        }

        void addTo(List<String> all, int partition) {
            for (int record = 0; record < count; record++) {
                if (partition(record) == partition) {
                    all.add(key(record) + " " + (bytes + record % 3));
                }
            }
        }
    }

    private static JobConf job(int maps) {
        JobConf job = CollectedMap.job(PARTITIONS);
        job.setNumMapTasks(maps);
        job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 4 << 20); // much has to go to disk
        job.setLong(MRJobConfig.MAX_SHUFFLE_FETCH_RETRY_DELAY, 20);
        return job;
    }

    private static void assertReduces(ShuffledJob job, List<Made> maps) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<String> expected = new ArrayList<>();
            for (Made map : maps) {
                map.addTo(expected, partition);
            }
            List<String> reduced = job.reduce(partition);
            assertThat(reduced.stream().map(record -> record.split(" ")[0])).isSorted();
            expected.sort(null);
            assertThat(reduced.stream().sorted().toList()).isEqualTo(expected);
            assertThat(job.lastReduce().counter(TaskCounter.SHUFFLED_MAPS)).isEqualTo(maps.size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 20, 21, 200})
    void givesReducesAllSpills(int spills) throws Exception {
        JobConf conf = job(2);
        conf.setCompressMapOutput(true);
        try (ShuffledJob job = new ShuffledJob(conf, dir, connection -> UnreliableNetwork.ALL)) {
            // The buffer of a spill is full with nine of these.
            List<Made> maps = List.of(new Made(0, spills * 9, 115_000), new Made(1, 1, 10));
            for (int map = 0; map < maps.size(); map++) {
                job.map(map, 0, maps.get(map));
                job.succeeded(map, 0);
            }
            assertReduces(job, maps);
            assertThat(job.lastReduce().counter(TaskCounter.MERGED_MAP_OUTPUTS))
                    .as("one map has nothing for it")
                    .isEqualTo(spills);
        }
    }

    @Test
    void takesRecordsThatNoBufferHolds() throws Exception {
        try (ShuffledJob job = new ShuffledJob(job(2), dir, connection -> UnreliableNetwork.ALL)) {
            List<Made> maps = List.of(new Made(0, 5, 2_500_000), new Made(1, 0, 0));
            for (int map = 0; map < maps.size(); map++) {
                job.map(map, 0, maps.get(map));
                job.succeeded(map, 0);
            }
            assertReduces(job, maps);
        }
    }

    /**
     * In the headers, between two spills, in the records, in the checksum at their end. Half the
     * maps have nothing, so the reduce has made enough progress not to be given up as ill: three
     * requests that fail before the first spill has come would do for that, whatever else comes.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void losesAndDoublesNothingWhenAnswersAreCutOff(long seed) throws Exception {
        Random random = new Random(seed);
        int maps = 16;
        try (ShuffledJob job =
                new ShuffledJob(
                        job(maps),
                        dir,
                        connection ->
                                connection % 2 == 0
                                        ? UnreliableNetwork.ALL
                                        : random.nextInt(connection % 4 == 1 ? 400 : 8 << 20))) {
            List<Made> made = new ArrayList<>();
            for (int map = 0; map < maps; map++) {
                made.add(new Made(map, map < maps / 2 ? 3000 * map : 0, 1000));
                job.map(map, 0, made.get(map));
                job.succeeded(map, 0);
            }
            assertReduces(job, made);
            assertThat(job.cuts()).isGreaterThan(2);
        }
    }

    @Test
    void asksForNothingWhereItsPartitionIsEmpty() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ShuffledJob job =
                new ShuffledJob(
                        job(1),
                        dir,
                        connection -> {
                            connections.incrementAndGet();
                            return UnreliableNetwork.ALL;
                        })) {
            job.map(
                    0,
                    0,
                    collector -> {
                        for (int record = 0; record < 30_000; record++) {
                            collector.collect(
                                    new Text("k" + record), new BytesWritable(new byte[100]), 0);
                        }
                    });
            job.succeeded(0, 0);
            assertThat(job.reduce(1)).isEmpty();
            assertThat(connections).hasValue(0);
            assertThat(job.lastReduce().counter(TaskCounter.SHUFFLED_MAPS)).isOne();
            assertThat(job.reduce(0)).hasSize(30_000);
        }
    }

    @Test
    void takesWhatAnotherAttemptHasMadeAgain() throws Exception {
        JobConf conf = job(2);
        try (ShuffledJob job = new ShuffledJob(conf, dir, connection -> UnreliableNetwork.ALL)) {
            List<Made> maps = List.of(new Made(0, 30_000, 100), new Made(1, 30_000, 100));
            job.map(0, 0, maps.get(0));
            job.failed(0, 0);
            job.map(1, 0, maps.get(1));
            job.succeeded(1, 0);
            job.map(0, 1, maps.get(0));
            job.succeeded(0, 1);
            assertReduces(job, maps);
        }
    }

    @Test
    void failsAReduceToWhichNothingComes() throws Exception {
        try (ShuffledJob job = new ShuffledJob(job(1), dir, connection -> 0)) {
            job.map(0, 0, new Made(0, 10, 10));
            job.succeeded(0, 0);
            assertThatThrownBy(() -> job.reduce(0)).hasMessageContaining("Error in the shuffle");
        }
    }
}
