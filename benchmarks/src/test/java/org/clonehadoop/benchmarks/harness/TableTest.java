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
