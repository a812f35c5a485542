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
package org.clonehadoop.benchmarks.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class TransferTest {
    @Test
    void theLoadIsWhatWasAskedFor() {
        Transfer[] transfers = Transfer.poisson(Sizes.fixed(1000), 1e6, 10, 6, 1);
        assertThat((double) transfers.length).isBetween(9500.0, 10_500.0);
        Transfer[] uneven = Transfer.poisson(Sizes.webSearch(), 1e9, 10, 6, 1);
        assertThat(Arrays.stream(uneven).mapToDouble(Transfer::bytes).sum()).isBetween(9e9, 11e9);
    }

    @Test
    void copiesGoToTwoServers() {
        assertThat(Transfer.poisson(Sizes.fixed(1000), 1e6, 1, 3, 1))
                .allSatisfy(
                        transfer -> {
                            assertThat(transfer.first()).isBetween(0, 2);
                            assertThat(transfer.second())
                                    .isBetween(0, 2)
                                    .isNotEqualTo(transfer.first());
                        });
    }

    @Test
    void oneServerIsEnough() {
        assertThat(Transfer.poisson(Sizes.fixed(1000), 1e5, 1, 1, 1))
                .allSatisfy(transfer -> assertThat(transfer.second()).isZero());
    }

    @Test
    void aClassEndsBelowItsBound() {
        assertThat(TransferLoop.classOf(9, 10, 100)).isZero();
        assertThat(TransferLoop.classOf(10, 10, 100)).isEqualTo(1);
        assertThat(TransferLoop.classOf(100, 10, 100)).isEqualTo(2);
        assertThat(TransferLoop.classOf(5)).isZero();
    }
}
