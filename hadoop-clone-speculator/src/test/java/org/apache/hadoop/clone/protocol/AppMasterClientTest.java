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
package org.apache.hadoop.clone.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppMasterClientTest {
    /** 0 is no limit. */
    @ParameterizedTest
    @CsvSource({"1, 120000", "30000, 120000", "120000, 120000", "600000, 600000", "0, 0"})
    void waitsLongerThanQuestionsAreLeftOpen(int ofJob, int ofCalls) {
        Configuration job = new Configuration(false);
        job.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ofJob);
        assertThat(RPC.getRpcTimeout(AppMasterClient.patient(job))).isEqualTo(ofCalls);
        assertThat(RPC.getRpcTimeout(job)).as("the job's own").isEqualTo(ofJob);
    }
}
