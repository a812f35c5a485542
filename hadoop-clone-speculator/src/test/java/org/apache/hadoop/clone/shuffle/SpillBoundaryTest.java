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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TestMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How far a mapper says it is from where its larger buffer is free. */
@Timeout(60)
class SpillBoundaryTest {
    private static final BufferPlan PLAN = new BufferPlan(3, 0.8f);
    private static final long LARGE = PLAN.limit(0);
    private static final int VALUE_BYTES = 1000;

    @TempDir private Path temp;
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);
    private final List<BoundaryDistance> whenFull = new ArrayList<>();
    private PerSpillCollector<Text, BytesWritable> collector;

    @BeforeEach
    void begin() {
        JobConf job = CollectedMap.job(1);
        collector = new PerSpillCollector<>(PLAN, new SlowSink());
        collector.init(new TestMap(job, temp).context());
    }

    @AfterEach
    void end() {
        firstMayEnd.countDown();
        awaitQuiet();
        collector.close();
    }

    /** Takes its time for the first spill. */
    private final class SlowSink implements SpillSink {
        @Override
        public void full() {
            whenFull.add(collector.toBoundary());
        }

        @Override
        public void finished(SpillNotice notice) {
            try {
                firstMayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void ended(int spills, long chain) {}
    }

    @Test
    void isThereBeforeTheFirstRecord() {
        assertThat(collector.toBoundary().isNone()).isTrue();
    }

    @Test
    void comesNearerWithEachRecordOfTheLargeBuffer() throws Exception {
        put();
        BoundaryDistance first = collector.toBoundary();
        assertThat(first.bytes()).isBetween(LARGE - 2 * VALUE_BYTES, LARGE - VALUE_BYTES);
        assertThat(first.writeNanos()).isEqualTo(BoundaryDistance.UNKNOWN);
        put();
        assertThat(collector.toBoundary().bytes()).isEqualTo(2 * first.bytes() - LARGE);
    }

    @Test
    void isThereWhenTheLargeBufferIsPublishedAndOnlyTheSmallOneInUse() throws Exception {
        fill();
        put();
        assertThat(collector.isQuiet()).as("the large one is being written").isFalse();
        assertThat(collector.toBoundary())
                .isEqualTo(new BoundaryDistance(0, BoundaryDistance.UNKNOWN));

        firstMayEnd.countDown();
        awaitQuiet();
        assertThat(collector.toBoundary().isNone()).isTrue();
        put();
        assertThat(collector.toBoundary().isNone()).isTrue();
    }

    @Test
    void isThereWhenTheSmallBufferIsFullAndNotWhenTheLargeOneIs() throws Exception {
        firstMayEnd.countDown();
        fill();
        fill();
        fill();
        assertThat(whenFull)
                .extracting(BoundaryDistance::isNone)
                .containsExactly(false, true, false);
        assertThat(whenFull.get(2).writeNanos()).isBetween(1L, BoundaryDistance.UNKNOWN - 1);
    }

    private void fill() throws Exception {
        int full = whenFull.size();
        while (whenFull.size() == full) {
            put();
        }
    }

    private void awaitQuiet() {
        while (!collector.isQuiet()) {
            Thread.onSpinWait();
        }
    }

    private void put() throws Exception {
        collector.collect(new Text("key"), new BytesWritable(new byte[VALUE_BYTES]), 0);
    }
}
