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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchRulesTest {
    private static final Subject JOB = new Subject("job_1_0001", "root.eng.adhoc", "alice");

    private static Permission permission(String... lines) {
        return SwitchRules.parse(String.join("\n", lines)).of(JOB);
    }

    @Test
    void onLetsAll() {
        assertThat(permission("on")).isEqualTo(Permission.ALL);
        assertThat(permission("# a comment", "", "  on  ", "")).isEqualTo(Permission.ALL);
    }

    @Test
    void offCountsWhateverElseIsThere() {
        assertThat(permission("on", "off", "limit clones 3").off()).contains("it says off");
        assertThat(permission("off").isOn()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "off queue adhoc, it says off for queue adhoc",
        "off queue root.eng, it says off for queue root.eng",
        "off user alice, it says off for user alice",
        "percent 0, this job isn't one of the 0 percent of all jobs"
    })
    void aJobMayBeOffAlone(String line, String why) {
        assertThat(permission(line).off()).contains(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"off queue ad", "off queue eng.other", "off user alic", "percent 100"})
    void othersAreNot(String line) {
        assertThat(permission(line)).isEqualTo(Permission.ALL);
    }

    @Test
    void capsThatConcernTheJobAllCount() {
        assertThat(
                        permission(
                                        "limit clones 20",
                                        "limit queue eng clones 5",
                                        "limit queue ops clones 1",
                                        "limit user alice clones 2",
                                        "limit user bob clones 0")
                                .caps())
                .containsExactly(
                        new SlotLimit("cluster", 20),
                        new SlotLimit("queue eng", 5),
                        new SlotLimit("user alice", 2));
    }

    @Test
    void theSmallestOfTwoCounts() {
        assertThat(permission("limit clones 20", "limit clones 4", "limit clones 9").caps())
                .isEqualTo(List.of(new SlotLimit("cluster", 4)));
        assertThat(permission("percent 50", "percent 0", "percent 100").isOn()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# on", "   \n#off\n"})
    void aFileThatSaysNothingIsNone(String text) {
        assertThatThrownBy(() -> SwitchRules.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it says nothing: write 'on' or 'off' into it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "On",
                "of",
                "offf",
                "on off",
                "off queue",
                "off queue a b",
                "off host a",
                "limit",
                "limit clones",
                "limit clones -1",
                "limit clones many",
                "limit clones 1000000000000",
                "limit queue a 3",
                "limit host a clones 3",
                "limit queue a clones three",
                "percent",
                "percent 101",
                "percent -1",
                "percent 5.5",
                "on # but not for long",
                "\u0000"
            })
    void whatItDoesNotKnowMakesAllOfItUnknown(String line) {
        assertThatThrownBy(() -> SwitchRules.parse("on\n\n" + line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 3 is none of: on; off; ");
    }

    /** The ResourceManager says either the path of a queue or its last name. */
    @ParameterizedTest
    @CsvSource({
        "root.eng.adhoc, adhoc, true",
        "root.eng.adhoc, eng, true",
        "root.eng.adhoc, root.eng, true",
        "root.eng.adhoc, eng.adhoc, true",
        "root.eng.adhoc, root.eng.adhoc, true",
        "root.eng.adhoc, root.adhoc, false",
        "root.eng.adhoc, hoc, false",
        "adhoc, root.eng.adhoc, true",
        "adhoc, root.adhoc.eng, false",
        "default, default, true",
        "default, defaults, false"
    })
    void aQueueIsMeantByAnyPartOfItsPath(String queue, String name, boolean meant) {
        assertThat(new Subject("job_1_0001", queue, "alice").isInQueue(name)).isEqualTo(meant);
    }
}
