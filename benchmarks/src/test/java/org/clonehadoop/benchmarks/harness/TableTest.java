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
package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void alignsTheFirstColumnLeftAndTheOthersRight() {
        Table table = new Table();
        table.row("what", "ms", "runs");
        table.row("a long name", "1.5", "5");
        table.row("b", "12345.5", "12");
        assertThat(table)
                .hasToString(
                        """
                        what              ms  runs
                        a long name      1.5     5
                        b            12345.5    12
                        """);
    }

    @Test
    void aHeadingWidensNoColumn() {
        Table table = new Table();
        table.row("a heading that is longer than every row");
        table.row("a", "1");
        assertThat(table)
                .hasToString(
                        """
                        a heading that is longer than every row
                        a  1
                        """);
    }

    @Test
    void shortRowsEndEarly() {
        Table table = new Table();
        table.row("a", "1", "goal");
        table.row("b", "2", "");
        assertThat(table.toString()).isEqualTo("a  1  goal\nb  2\n");
    }
}
