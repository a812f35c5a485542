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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CrawlTest {
    private static final TaskAttemptID MAP = TaskAttemptID.forName("attempt_1_0001_m_000000_0");
    private static final TaskAttemptID CLONE = TaskAttemptID.forName("attempt_1_0001_m_000000_1");
    private static final TaskAttemptID REDUCE = TaskAttemptID.forName("attempt_1_0001_r_000000_0");

    private final Configuration conf = new Configuration(false);
    private TaskAttemptID self = MAP;
    private double progress = 0.5;
    private Runnable asleep = () -> {};
    private long sleptNanos;

    @BeforeEach
    void oneMapAndOneReduce() {
        conf.set(Crawl.ATTEMPTS, "m_000000_0, r_000000_0");
    }

    private Crawl crawl() {
        return new Crawl(
                conf,
                () -> self,
                () -> progress,
                nanos -> {
                    sleptNanos += nanos;
                    asleep.run();
                });
    }

    private long sleptMillis() {
        return TimeUnit.NANOSECONDS.toMillis(sleptNanos);
    }

    @Test
    void aListedAttemptWaitsAtEachRecord() throws InterruptedException {
        Crawl crawl = crawl();
        crawl.record();
        crawl.record();
        assertThat(sleptMillis()).isEqualTo(400);
    }

    @Test
    void anotherAttemptDoesNot() throws InterruptedException {
        self = CLONE;
        crawl().record();
        assertThat(sleptNanos).isZero();
    }

    @Test
    void beforeItsProgressItGoesAtFullSpeed() throws InterruptedException {
        progress = 0.2;
        crawl().record();
        assertThat(sleptNanos).isZero();
    }

    @Test
    void aReduceBeginsAmongItsValuesOnly() throws InterruptedException {
        self = REDUCE;
        crawl().record();
        assertThat(sleptNanos).isZero();
        progress = 0.8;
        crawl().record();
        assertThat(sleptMillis()).isEqualTo(200);
    }

    @Test
    void whoBecomesACloneInTheMidstOfAWaitEndsIt() throws InterruptedException {
        asleep = () -> self = CLONE;
        crawl().record();
        assertThat(sleptMillis()).isEqualTo(20);
    }

    @Test
    void aCrawlEndsAfterItsLimit() throws InterruptedException {
        conf.setLong(Crawl.LIMIT_MILLIS, 300);
        Crawl crawl = crawl();
        for (int i = 0; i < 5; i++) {
            crawl.record();
        }
        assertThat(sleptMillis()).isEqualTo(300);
    }

    @Test
    void allAttemptsMayBeListedAtOnce() throws InterruptedException {
        conf.set(Crawl.ATTEMPTS, "*");
        self = CLONE;
        crawl().record();
        assertThat(sleptMillis()).isEqualTo(200);
    }

    @Test
    void aCloneHasALimitOfItsOwn() throws InterruptedException {
        conf.set(Crawl.ATTEMPTS, "*");
        conf.setLong(Crawl.CLONE_MILLIS, 100);
        Crawl crawl = crawl();
        crawl.record();
        self = CLONE;
        crawl.record();
        crawl.record();
        assertThat(sleptMillis()).isEqualTo(200 + 100);
    }

    @Test
    void theLimitOfClonesIsNotThatOfAttemptsFromZero() throws InterruptedException {
        conf.set(Crawl.ATTEMPTS, "*");
        conf.setLong(Crawl.CLONE_MILLIS, 100);
        self = CLONE;
        crawl().record();
        assertThat(sleptMillis()).isEqualTo(200);
    }
}
