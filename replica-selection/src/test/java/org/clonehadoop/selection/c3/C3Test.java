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
package org.clonehadoop.selection.c3;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class C3Test {
    @Test
    void scoresByItsFormula() {
        // q = 1 + 2·3 + 1.5 = 8.5; 10 − 4 + 8.5³·4
        assertThat(C3.score(10, 4, 1.5, 2, 3)).isEqualTo(10 - 4 + 614.125 * 4);
    }

    @Test
    void prefersASlowServerToAFastOneWithALongQueue() {
        double fast = C3.score(5, 1, 20, 0, 1);
        double slow = C3.score(5, 4, 2, 0, 1);
        assertThat(slow).isLessThan(fast);
    }

    @Test
    void averagesFromTheFirstSampleOn() {
        assertThat(Ewma.next(Double.NaN, 7, 0.9)).isEqualTo(7);
        assertThat(Ewma.next(10, 20, 0.9)).isEqualTo(19);
    }

    @Test
    void triesServersNobodyHasHeardOfByOneRequestEach() {
        Replicas replicas = new Replicas(3);
        replicas.sent(0);
        replicas.answered(0, 5, 4, 0);
        int[] all = {0, 1, 2};
        assertThat(replicas.best(all, 1)).isEqualTo(1);
        replicas.sent(1);
        assertThat(replicas.best(all, 1)).isEqualTo(2);
        replicas.sent(2);
        assertThat(replicas.best(all, 1)).isZero();
    }

    @Test
    void followsWhatServersTell() {
        Replicas replicas = new Replicas(2);
        for (int server = 0; server < 2; server++) {
            replicas.sent(server);
            replicas.answered(server, 5, server == 0 ? 4 : 1, 1);
        }
        assertThat(replicas.best(new int[] {0, 1}, 1)).isEqualTo(1);
        replicas.sent(1);
        replicas.answered(1, 50, 1, 30);
        assertThat(replicas.best(new int[] {0, 1}, 1)).isZero();
        assertThat(replicas.bestBut(0, new int[] {0, 1}, 1)).isEqualTo(1);
        assertThat(replicas.bestBut(0, new int[] {0}, 1)).isZero();
    }

    @Test
    void countsWhatIsOutstandingAsOftenAsThereAreNodes() {
        Replicas replicas = new Replicas(2);
        for (int server = 0; server < 2; server++) {
            replicas.sent(server);
            replicas.answered(server, 5, server == 0 ? 4 : 1, 1);
        }
        replicas.sent(1);
        assertThat(replicas.outstanding(1)).isEqualTo(1);
        assertThat(replicas.best(new int[] {0, 1}, 500)).isZero();
        replicas.forgotten(1);
        replicas.forgotten(1);
        assertThat(replicas.outstanding(1)).isZero();
        assertThat(replicas.best(new int[] {0, 1}, 500)).isEqualTo(1);
    }
}
