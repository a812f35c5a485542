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
package org.apache.hadoop.clone.hdfs.read.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class StagePortTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void isThatOfTheDataTransferAndTheOffset() {
        assertThat(StagePort.of(9866, conf)).hasValue(19866);
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, -100);
        assertThat(StagePort.of(9866, conf)).hasValue(9766);
    }

    @Test
    void thereIsNoneBeyondThePorts() {
        assertThat(StagePort.of(55535, conf)).hasValue(65535);
        assertThat(StagePort.of(55536, conf)).isEmpty();
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, -9000);
        assertThat(StagePort.of(9866, conf)).isEmpty();
    }

    /** Secure DataNodes without SASL: an unprivileged port could be anybody's. */
    @Test
    void thereIsNoneOfADataNodeThatIsKnownByItsPort() {
        assertThat(StagePort.of(1004, conf)).isEmpty();
        assertThat(StagePort.of(1024, conf)).hasValue(11024);
    }
}
