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
package org.apache.hadoop.clone.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.clone.estimate.Course.Mark;
import org.junit.jupiter.api.Test;

class CourseTest {
    private static final long INTERVAL = 3_000;

    private final Course course = new Course(10_000, EstimateRules.PRESET);
    private final Map<Integer, Double> passed = new TreeMap<>();
    private final NavigableMap<Integer, Double> steps = new TreeMap<>();

    private boolean report(double progress, Object phase, long now) {
        boolean moved = course.reported(progress, phase, now, INTERVAL);
        if (moved) {
            course.passed(
                    (part, millis, step) -> {
                        passed.put(part, millis);
                        steps.put(part, step);
                    });
        }
        return moved;
    }

    @Test
    void itBeganNoLongerThanAReportBeforeItWasHeard() {
        assertThat(course.hasStarted()).isFalse();
        report(0.1, "map", 20_000);
        assertThat(course.began()).isEqualTo(17_000);
        assertThat(course.hasStarted()).isTrue();
    }

    @Test
    void itBeganNoSoonerThanItsContainer() {
        report(0.1, "map", 11_000);
        assertThat(course.began()).isEqualTo(10_000);
    }

    @Test
    void whatTellsOfNoWorkHasOnlyJustBegun() {
        report(0, "starting", 14_000);
        assertThat(course.hasStarted()).isTrue();
        assertThat(course.began()).isEqualTo(14_000);
    }

    @Test
    void aStepIsFromOneReportThatTellsOfProgressToTheNext() {
        report(2 / 3.0, "map", 40_000);
        report(2 / 3.0, "sort", 43_000);
        report(1, "sort", 52_000);
        assertThat(steps.subMap(20, 30).values()).hasSize(10).containsOnly(12_000.0);
    }

    @Test
    void itsFirstStepEndsWithItsFirstProgress() {
        report(0, "map", 20_000);
        assertThat(course.firstStep()).isEmpty();
        report(0, "map", 23_000);
        report(0.1, "map", 26_000);
        assertThat(course.firstStep()).hasValue(6_000);
        report(0.2, "map", 29_000);
        assertThat(course.firstStep()).isEmpty();
    }

    @Test
    void aClonesFirstStepIsItsOriginals() {
        Course clone = new Course(30_000, EstimateRules.PRESET);
        report(0, "map", 20_000);
        report(0.1, "map", 26_000);
        clone.inherit(course);
        clone.reported(0.2, "map", 31_000, INTERVAL);
        assertThat(clone.firstStep()).isEmpty();
    }

    @Test
    void whatItSaysAgainIsNoStep() {
        assertThat(report(0.1, "map", 20_000)).isTrue();
        assertThat(report(0.1, "map", 23_000)).isFalse();
        assertThat(report(0.05, "map", 26_000)).isFalse();
        assertThat(course.last()).isEqualTo(new Mark(0.1, 20_000));
    }

    /** Each part is a thirtieth. */
    @Test
    void partsArePassedEvenlyBetweenReports() {
        report(0.05, "map", 13_000);
        report(0.15, "map", 16_000);
        assertThat(passed).containsOnlyKeys(0, 1, 2, 3);
        assertThat(passed.get(0)).isCloseTo(2_000, within(1.0));
        assertThat(passed.get(1)).isCloseTo(1_500, within(1.0));
        assertThat(passed.get(2)).isCloseTo(1_000, within(1.0));
        assertThat(passed.get(3)).isCloseTo(1_000, within(1.0));
    }

    @Test
    void aPartInWhichItHasWaitedSaysNothing() {
        report(0.05, "shuffle", 13_000);
        course.waited();
        report(0.15, "shuffle", 60_000);
        assertThat(passed).containsOnlyKeys(0, 2, 3);
    }

    @Test
    void whatItHasDoneBeforeItWasReleasedTookWhatItWasWorth() {
        report(0.2, "shuffle", 13_000);
        course.released(5_000, 100_000);
        assertThat(course.ownMarks()).containsExactly(new Mark(0, 95_000), new Mark(0.2, 100_000));
    }

    /** Half of the second thirtieth was done by then, in a third of what it was worth. */
    @Test
    void thePartInWhichItWasReleasedBeganBeforeAsItsPaceSays() {
        report(0.05, "shuffle", 13_000);
        course.released(6_000, 100_000);
        report(0.1, "shuffle", 104_000);
        assertThat(passed.get(1)).isCloseTo(2_000 + 4_000 / 3.0, within(1.0));
        assertThat(passed.get(2)).isCloseTo(8_000 / 3.0, within(1.0));
    }

    @Test
    void theStepIntoAPhaseIsNoneOfIt() {
        report(0.1, "shuffle", 13_000);
        report(0.3, "shuffle", 16_000);
        report(0.7, "reduce", 19_000);
        report(0.8, "reduce", 22_000);
        assertThat(course.phaseMarks())
                .containsExactly(new Mark(0.7, 19_000), new Mark(0.8, 22_000));
    }

    @Test
    void whatIsLongAgoIsKeptCoarsely() {
        for (int i = 1; i <= 1_000; i++) {
            report(i / 1_000.0, i <= 20 ? "shuffle" : "reduce", 10_000 + i * 1_000L);
        }
        assertThat(course.ownMarks().size()).isBetween(32, 64);
        assertThat(course.began()).isEqualTo(10_000);
        assertThat(course.phaseMarks().get(0)).isEqualTo(new Mark(0.021, 31_000));
        assertThat(
                        course.ownMarks()
                                .subList(course.ownMarks().size() - 30, course.ownMarks().size()))
                .first()
                .isEqualTo(new Mark(0.971, 981_000));
    }

    @Test
    void whatItHasDoneSinceItsLastReportIsNotKnown() {
        report(0.1, "map", 20_000);
        report(0.2, "map", 23_000);
        assertThat(course.known(25_000, INTERVAL)).isEqualTo(23_000);
        assertThat(course.known(30_000, INTERVAL)).isEqualTo(27_000);
    }

    /** Records of a minute each. */
    @Test
    void theStepThatIsUnderWayMayTakeAsLongAsTheLast() {
        report(0.1, "map", 20_000);
        report(0.2, "map", 80_000);
        assertThat(course.known(130_000, INTERVAL)).isEqualTo(80_000);
        assertThat(course.known(150_000, INTERVAL)).isEqualTo(90_000);
    }

    @Test
    void aCloneBeginsWithItsFirstReport() {
        report(0.1, "map", 20_000);
        Course clone = new Course(30_000, EstimateRules.PRESET);
        clone.inherit(course);
        assertThat(clone.hasStarted()).isFalse();
        clone.reported(0.15, "map", 36_000, INTERVAL);
        clone.reported(0.2, "map", 39_000, INTERVAL);
        assertThat(clone.ownMarks()).containsExactly(new Mark(0.15, 36_000), new Mark(0.2, 39_000));
        assertThat(clone.began()).isEqualTo(course.began());
    }

    @Test
    void whatACloneDidItselfIsNotThinnedOutWithItsOriginals() {
        for (int i = 1; i <= 60; i++) {
            report(i / 1_000.0, "map", 10_000 + i * 1_000L);
        }
        Course clone = new Course(80_000, EstimateRules.PRESET);
        clone.inherit(course);
        for (int i = 1; i <= 200; i++) {
            clone.reported((60 + i) / 1_000.0, "map", 80_000 + i * 1_000L, INTERVAL);
        }
        assertThat(clone.ownMarks()).first().isEqualTo(new Mark(0.061, 81_000));
        assertThat(clone.ownMarks()).last().isEqualTo(new Mark(0.26, 280_000));
    }
}
