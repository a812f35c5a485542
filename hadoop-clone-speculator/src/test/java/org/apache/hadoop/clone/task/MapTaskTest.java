package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own map in a JVM of its own, asked for a clone that isn't made in the end. */
@Timeout(120)
class MapTaskTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LIMIT_MILLIS = PATIENCE.toMillis();

    @TempDir private Path temp;
    private TaskJvm jvm;
    private StandInAppMaster appMaster;

    @BeforeEach
    void setUp() throws IOException {
        jvm = new TaskJvm(temp);
        appMaster = new StandInAppMaster(jvm.task());
    }

    @AfterEach
    void end() {
        jvm.close();
        appMaster.close();
    }

    @Test
    void saysWhatACloneCosts() throws Exception {
        start(TaskJvm.job());
        awaitRecords(1000);

        appMaster.order(CloneOrder.prepare(1, 5));
        CloneAnswer answer = appMaster.answer();
        assertThat(answer.kind()).as(answer.toString()).isEqualTo(CloneAnswer.Kind.ABLE);
        assertThat(answer.cloneId()).isEqualTo(5);
        assertThat(answer.memoryBytes()).isGreaterThan(16 << 20);
        assertThat(answer.fileBytes()).isPositive();

        assertCompletes();
    }

    private void start(JobConf job) throws IOException {
        jvm.start(appMaster, job, List.of());
    }

    private void awaitRecords(long more) throws IOException {
        long from = jvm.position();
        await().atMost(PATIENCE).until(() -> !jvm.isAlive() || jvm.position() >= from + more);
        assertThat(jvm.isAlive()).as(jvm.log()).isTrue();
    }

    /** The map ends as if nothing had been, with every record once. */
    private void assertCompletes() throws Exception {
        jvm.endInput();
        assertThat(jvm.exitCode()).as(jvm.log()).isZero();
        assertThat(appMaster.errors).isEmpty();
        assertThat(appMaster.done).containsExactly(TaskJvm.ATTEMPT);
        SortedMap<Long, String> records = MapOutput.read(jvm.local, TaskJvm.ATTEMPT);
        assertThat(records).hasSize((int) jvm.position());
        assertThat(records.firstKey()).isEqualTo(1);
        assertThat(records.values()).containsOnly(TaskJvm.ATTEMPT.toString());
    }
}
