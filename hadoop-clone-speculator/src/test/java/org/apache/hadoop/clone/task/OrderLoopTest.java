package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.Client;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderLoopTest {
    /** 0 is no limit. */
    @ParameterizedTest
    @CsvSource({"1, 120000", "30000, 120000", "120000, 120000", "600000, 600000", "0, 0", "-1, 0"})
    void waitsForOrdersLongerThanAJobWantsToWaitForOthers(int millis, int patient) {
        Configuration job = new Configuration(false);
        job.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, millis);
        job.set("mapreduce.task.attempt.id", "attempt");
        Configuration used = OrderLoop.patient(job);
        assertThat(Client.getRpcTimeout(used)).isEqualTo(patient);
        assertThat(used.get("mapreduce.task.attempt.id")).isEqualTo("attempt");
        assertThat(job.getInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, 0))
                .isEqualTo(millis);
    }
}
