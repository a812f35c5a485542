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
package org.clonehadoop.selection.fattree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FatTreeTest {
    private final FatTree tree = new FatTree(16);

    @Test
    void isAsLargeAsThePapers() {
        assertThat(tree.hosts()).isEqualTo(1024);
        assertThat(tree.switches()).isEqualTo(320);
        assertThat(tree.racks()).isEqualTo(128);
        assertThat(tree.cores()).isEqualTo(64);
    }

    @Test
    void countsLinksBetweenHosts() {
        assertThat(tree.links(0, 0)).isZero();
        assertThat(tree.links(0, 7)).isEqualTo(2);
        assertThat(tree.links(0, 8)).isEqualTo(4);
        assertThat(tree.links(0, 64)).isEqualTo(6);
    }

    @Test
    void namesEachSwitchAndFindsItByName() {
        FatTree small = new FatTree(4);
        for (int node = 0; node < small.switches(); node++) {
            assertThat(small.named(small.name(node))).isEqualTo(node);
        }
        assertThat(small.name(0)).isEqualTo("tor-0-0");
        assertThat(small.name(small.aggregation(3, 1))).isEqualTo("aggregation-3-1");
        assertThat(small.name(small.core(2))).isEqualTo("core-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"core-4", "tor-4-0", "tor-0-2", "spine-1", "core--1", "", "tor-0"})
    void hasNoOtherSwitches(String name) {
        assertThatThrownBy(() -> new FatTree(4).named(name)).hasMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fat-tree:3", "fat-tree:0", "fat-tree:", "ring:4", "fat-tree:230"})
    void parsesNothingElse(String spec) {
        assertThatThrownBy(() -> FatTree.parse(spec)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parsesItsSpec() {
        assertThat(FatTree.parse("fat-tree:16")).isEqualTo(tree);
    }

    @Test
    void waysAreWiredAsATreeIs() {
        FatTree small = new FatTree(6);
        for (int node = 0; node < small.switches(); node++) {
            for (int rack = 0; rack < small.racks(); rack++) {
                for (int choice = 0; choice < 9; choice++) {
                    int at = node;
                    for (int next : small.way(node, rack, choice)) {
                        assertThat(wired(small, at, next)).as(at + " to " + next).isTrue();
                        at = next;
                    }
                    assertThat(at).isEqualTo(rack);
                }
            }
        }
    }

    private static boolean wired(FatTree tree, int one, int other) {
        if (tree.tier(one) == Tier.CORE || tree.tier(other) == Tier.CORE) {
            int core = Math.max(one, other) - tree.core(0);
            int below = Math.min(one, other);
            return tree.tier(below) == Tier.AGGREGATION
                    && core / tree.hostsPerRack() == below % tree.hostsPerRack();
        }
        return tree.tier(one) != tree.tier(other) && tree.pod(one) == tree.pod(other);
    }

    @Test
    void knowsWhichSwitchesAreOnTheWayToOtherPods() {
        assertThat(tree.onWay(5, 5)).isTrue();
        assertThat(tree.onWay(5, 6)).isFalse();
        assertThat(tree.onWay(5, tree.aggregation(0, 3))).isTrue();
        assertThat(tree.onWay(5, tree.aggregation(1, 3))).isFalse();
        assertThat(tree.onWay(5, tree.core(63))).isTrue();
    }
}
