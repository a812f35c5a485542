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
package org.clonehadoop.benchmarks.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrakeTest {
    private final Configuration configuration = new Configuration(false);
    private final ManualClock clock = new ManualClock();
    private TaskAttemptID self = TaskAttemptID.forName("attempt_1_0001_m_000003_0");
    private Brake brake;

    @BeforeEach
    void aBrakeOfFour() {
        configuration.set(Slowdown.ATTEMPTS, "m_000003_0=4");
        brake = new Brake(new Slowdown(configuration), () -> self, clock);
    }

    @Test
    void waitsInProportionToTheWork() throws InterruptedException {
        clock.work(50);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(200);
        clock.work(30);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(320);
    }

    @Test
    void shortWorkAddsUp() throws InterruptedException {
        clock.work(6);
        brake.press();
        assertThat(clock.sleptMillis).isZero();
        clock.work(6);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(48);
    }

    @Test
    void whatIsOwedForLongWorkIsSpreadOverSeveralRecords() throws InterruptedException {
        clock.work(90);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(200);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(360);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(360);
    }

    /** A clone's ids are changed in place. */
    @Test
    void whoseIdBecomesAnothersOwesNothing() throws Exception {
        clock.work(90);
        brake.press();
        DataOutputBuffer out = new DataOutputBuffer();
        TaskAttemptID.forName("attempt_1_0001_m_000003_1").write(out);
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        self.readFields(in);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(200);
    }

    @Test
    void whoBecomesACloneBetweenTwoRecordsOwesNothing() throws InterruptedException {
        clock.work(90);
        brake.press();
        self = TaskAttemptID.forName("attempt_1_0001_m_000003_1");
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(200);
    }

    @Test
    void whoBecomesACloneWhileItWaitsIsFree() throws InterruptedException {
        clock.work(100);
        clock.afterNaps = 3;
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(60);
        clock.work(100);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(60);
    }

    @Test
    void firstRecordsMayBeFree() throws InterruptedException {
        set(Slowdown.AFTER_RECORDS, 2);
        clock.work(100);
        brake.press();
        clock.work(100);
        brake.press();
        assertThat(clock.sleptMillis).isZero();
        clock.work(10);
        brake.press();
        assertThat(clock.sleptMillis).isEqualTo(40);
    }

    @Test
    void aPaceIsWaitedForInGrains() throws InterruptedException {
        set(Slowdown.AFTER_RECORDS, 100);
        set(Slowdown.PACE, 4000);
        pressThrice(5);
        assertThat(clock.sleptMillis)
                .as("what it works itself counts for nothing yet")
                .isEqualTo(12);
        pressThrice(5);
        assertThat(clock.sleptMillis).isEqualTo(24);
    }

    @Test
    void aSlowOnesPaceIsSlowToo() throws InterruptedException {
        set(Slowdown.PACE, 4000);
        pressThrice(1);
        assertThat(clock.sleptMillis).isEqualTo(8 + 4 * (8 + 2));
    }

    @Test
    void aCloneKeepsThePace() throws InterruptedException {
        set(Slowdown.PACE, 4000);
        pressThrice(0);
        assertThat(clock.sleptMillis).isEqualTo(60);
        self = TaskAttemptID.forName("attempt_1_0001_m_000003_1");
        pressThrice(0);
        assertThat(clock.sleptMillis).isEqualTo(72);
    }

    /** Of another brake. */
    private void set(String key, long value) {
        configuration.setLong(key, value);
        brake = new Brake(new Slowdown(configuration), () -> self, clock);
    }

    private void pressThrice(long workMillis) throws InterruptedException {
        for (int record = 0; record < 3; record++) {
            clock.work(workMillis);
            brake.press();
        }
    }

    private final class ManualClock implements Brake.Clock {
        private long millis;
        private long sleptMillis;
        private int afterNaps = -1;

        void work(long workMillis) {
            millis += workMillis;
        }

        @Override
        public long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }

        @Override
        public void sleep(long nanos) {
            long napMillis = TimeUnit.NANOSECONDS.toMillis(nanos);
            millis += napMillis;
            sleptMillis += napMillis;
            if (--afterNaps == 0) {
                self = TaskAttemptID.forName("attempt_1_0001_m_000003_1");
            }
        }
    }
}
