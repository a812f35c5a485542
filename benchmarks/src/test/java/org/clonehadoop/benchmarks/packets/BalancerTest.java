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
package org.clonehadoop.benchmarks.packets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.stage.Policy;
import org.junit.jupiter.api.Test;

final class BalancerTest {
    private static List<String> sent(Policy policy, int packets) {
        List<String> sent = new ArrayList<>();
        Balancer balancer =
                new Balancer(
                        2,
                        policy,
                        (node, priority, number) ->
                                sent.add(number + " " + priority + " to " + node));
        for (int number = 0; number < packets; number++) {
            balancer.pass(number);
        }
        return sent;
    }

    @Test
    void nodesHavePacketsByTurns() {
        assertThat(sent(Policy.single(), 3))
                .containsExactly("0 PRIMARY to 0", "1 PRIMARY to 1", "2 PRIMARY to 0");
    }

    @Test
    void aDuplicateGoesToTheOtherNodeAfterItsPrimary() {
        assertThat(sent(Balancer.DUPLICATED, 2))
                .containsExactly(
                        "0 PRIMARY to 0", "0 DUPLICATE to 1", "1 PRIMARY to 1", "1 DUPLICATE to 0");
    }
}
