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
package org.clonehadoop.simulator.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void isThatOfTheMeans() {
        Interval interval =
                Interval.ofMeans(new double[] {90, 110, 100}, new double[] {180, 220, 200});

        assertThat(interval.value()).isEqualTo(0.5);
    }

    /** Seeds are paired: what moves both by the same factor moves no ratio. */
    @Test
    void seedsThatMoveBothAlikeDontWidenIt() {
        Interval interval =
                Interval.ofMeans(new double[] {50, 100, 900}, new double[] {100, 200, 1800});

        assertThat(interval.low()).isCloseTo(0.5, within(1e-9));
        assertThat(interval.high()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void isAroundItsValueWhereSeedsDiffer() {
        Interval interval =
                Interval.ofMeans(
                        new double[] {90, 110, 95, 105, 100},
                        new double[] {100, 100, 100, 100, 100});

        // 2.776 times 0.0354, which is the mean's error, by Student's t with four degrees.
        assertThat(interval.low()).isCloseTo(Math.exp(-0.0982), within(1e-3));
        assertThat(interval.high()).isCloseTo(Math.exp(0.0982), within(1e-3));
    }

    @Test
    void ofOneSeedThereIsNone() {
        Interval interval = Interval.ofMeans(new double[] {90}, new double[] {100});

        assertThat(interval.low()).isEqualTo(interval.high()).isEqualTo(interval.value());
    }
}
