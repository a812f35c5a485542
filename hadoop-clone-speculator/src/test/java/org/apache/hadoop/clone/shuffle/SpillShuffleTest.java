package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpillShuffleTest {
    @ParameterizedTest
    @CsvSource({"30000, 120000", "120000, 120000", "600000, 600000", "0, 0"})
    void waitsLongerThanQuestionsAreParked(int ofCluster, int ofCalls) {
        Configuration conf = new Configuration(false);
        conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ofCluster);
        assertThat(RPC.getRpcTimeout(SpillShuffle.patient(conf))).isEqualTo(ofCalls);
        assertThat(RPC.getRpcTimeout(conf)).as("the task's own").isEqualTo(ofCluster);
    }
}
