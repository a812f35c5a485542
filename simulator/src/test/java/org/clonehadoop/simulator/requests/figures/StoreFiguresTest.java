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
package org.clonehadoop.simulator.requests.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clonehadoop.selection.placement.Placement;
import org.clonehadoop.selection.placement.Plan;
import org.clonehadoop.simulator.requests.figures.StoreFigures.Solved;
import org.junit.jupiter.api.Test;

class StoreFiguresTest {
    /** With two nodes, of which so many are proven to be needed. */
    private static Solved solved(int least) {
        return new Solved(new Placement(new Plan(new int[] {3, 5}), least, 0.1), 0.1);
    }

    private static Claim claim(Solved... all) {
        return StoreFigures.quickAndProven(0.25, List.of(all));
    }

    @Test
    void aPlacementThatIsNotProvenIsSomeNodesFromIt() {
        assertThat(claim(solved(2), solved(2)).holds()).isTrue();
        assertThat(claim(solved(2)).because()).startsWith("1 of 1 proven; 2 to 2 nodes");
        assertThat(claim(solved(2), solved(1)).because())
                .startsWith("1 of 2 proven, else at most 1 more than proven; 2 to 2 nodes");
    }

    @Test
    void oneOfWhichNothingIsKnownIsAnyNumberFromIt() {
        Claim claim = claim(solved(2), solved(1), solved(Placement.UNKNOWN));
        assertThat(claim.holds()).isFalse();
        assertThat(claim.because())
                .startsWith("1 of 3 proven, else at most 1 more than proven, of 1 nothing; ");
    }
}
