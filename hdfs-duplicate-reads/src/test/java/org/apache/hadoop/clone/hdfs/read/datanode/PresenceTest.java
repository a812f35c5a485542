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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PresenceTest {
    private static final int SCANNER = 1;

    private int references = SCANNER;
    private int stayed = Integer.MAX_VALUE;
    private final Presence presence = new Presence(() -> references, () -> stayed);
    private long millis = -5_000;

    @Test
    void nobodyIsKnownToBeAbsentBeforeTheFirstLook() {
        assertThat(presence.others()).isTrue();
        look();
        assertThat(presence.others()).isFalse();
    }

    private void look() {
        presence.sample(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void whoeverComesIsSeenAtOnceAndWhoeverLeavesAsWell() {
        look();
        references++;
        assertThat(presence.others()).isTrue();
        look();
        assertThat(presence.others()).isTrue();
        references--;
        assertThat(presence.others()).isFalse();
    }

    @Test
    void oursArentOthers() {
        look();
        references += 2;
        presence.begin();
        presence.begin();
        assertThat(presence.others()).isFalse();
        references++;
        assertThat(presence.others()).isTrue();
        presence.end();
        references--;
        assertThat(presence.others()).isTrue();
        references--;
        assertThat(presence.others()).isFalse();
    }

    /** A read that fails at its disk gives its reference back first. */
    @Test
    void oursThatIsGoneBeforeItIsSaidHidesNobody() {
        references = 0;
        look();
        references++;
        presence.begin();
        references--;
        pass(1);
        presence.end();
        assertThat(presence.others()).isFalse();
        references++;
        assertThat(presence.others()).isTrue();
    }

    /** A log that is open for writing. */
    @Test
    void whoStaysForHalfAMinuteIsForgotten() {
        look();
        references++;
        for (int second = 0; second < 29; second++) {
            pass(1000);
            assertThat(presence.others()).as("after %d s", second + 1).isTrue();
        }
        pass(1000);
        assertThat(presence.others()).isFalse();
        references++;
        assertThat(presence.others()).as("somebody beside it").isTrue();
    }

    private void pass(long time) {
        millis += time;
        look();
    }

    @Test
    void whoeverComesAgainAndAgainIsAlwaysSeen() {
        look();
        for (int i = 0; i < 600; i++) {
            references++;
            pass(90);
            assertThat(presence.others()).isTrue();
            references--;
            pass(10);
            assertThat(presence.others()).isFalse();
        }
    }

    /** Each comes before the last has left. */
    @Test
    void whereOneFollowsAnotherSomebodyIsThere() {
        stayed = SCANNER;
        look();
        references++;
        for (int second = 0; second < 60; second++) {
            references++;
            pass(10);
            references--;
            pass(990);
            assertThat(presence.others()).as("after %d s", second + 1).isTrue();
        }
        references--;
        assertThat(presence.others()).isFalse();
    }

    @Test
    void whenItLeavesItIsMissedNoLonger() {
        references++;
        look();
        assertThat(presence.others()).isFalse();
        references--;
        pass(1);
        references++;
        assertThat(presence.others()).isTrue();
    }

    /** After a pause of the whole process, longer than all that it remembers. */
    @Test
    void nothingOlderIsRemembered() {
        look();
        references++;
        pass(3_600_000);
        assertThat(presence.others()).isFalse();
        references++;
        pass(30_500);
        references--;
        pass(500);
        assertThat(presence.others()).isFalse();
    }
}
