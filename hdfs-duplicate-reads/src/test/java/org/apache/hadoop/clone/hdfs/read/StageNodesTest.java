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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StageNodesTest {
    private long now = -5;
    private final StageNodes nodes = new StageNodes(() -> now);

    @Test
    void oneWithoutIsLeftAloneForAWhile() {
        assertThat(nodes.mayHaveOne("a")).isTrue();
        assertThat(nodes.hasNone("a")).as("news").isTrue();
        assertThat(nodes.hasNone("a")).as("another read's, at the same time").isFalse();
        assertLeftAlone(10);
        assertThat(nodes.mayHaveOne("b")).isTrue();
    }

    private void assertLeftAlone(int seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds) - 1;
        assertThat(nodes.mayHaveOne("a")).isFalse();
        now++;
        assertThat(nodes.mayHaveOne("a")).isTrue();
    }

    @Test
    void eachTimeForTwiceAsLong() {
        nodes.hasNone("a");
        for (int seconds : new int[] {10, 20, 40, 80, 160, 320, 600, 600}) {
            assertLeftAlone(seconds);
            assertThat(nodes.hasNone("a")).as("news").isFalse();
        }
    }

    @Test
    void oneThatAnswersNobodyIsLeftAloneAsWell() {
        nodes.hasOne("a");
        now++;
        assertThat(nodes.saysNothing("a", now)).as("news").isTrue();
        assertThat(nodes.saysNothing("a", now)).as("news").isFalse();
        assertLeftAlone(10);
    }

    @Test
    void oneThatAnsweredAnotherMeanwhileIsBusy() {
        long asked = now++;
        nodes.hasOne("a");
        assertThat(nodes.saysNothing("a", asked)).as("news").isFalse();
        assertThat(nodes.mayHaveOne("a")).isTrue();
    }

    @Test
    void oneThatIsFoundWasNeverMissing() {
        nodes.hasNone("a");
        assertLeftAlone(10);
        nodes.hasNone("a");
        nodes.hasOne("a");
        assertThat(nodes.mayHaveOne("a")).isTrue();
        assertThat(nodes.hasNone("a")).as("news").isTrue();
        assertLeftAlone(10);
    }
}
