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

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Held to the switch by a table of choices; its C side is in request-switch/tests/unit. */
class ReplicasTest {
    @Test
    void choosesInEachCaseOfTheTableAsItSays() throws IOException {
        String[] lines = lines();
        assertThat(lines).hasSize(10_000);
        for (String line : lines) {
            int best = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
            assertThat(C3Table.parse(line).best()).as(line).isEqualTo(best);
        }
    }

    @Test
    void theTableIsWhatItsGeneratorWrites() throws IOException {
        assertThat(table()).isEqualTo(C3Table.text());
    }

    @Test
    void theTableTellsWhichSampleWeighsMore() throws IOException {
        int others = 0;
        for (String line : lines()) {
            C3Table.Case one = C3Table.parse(line);
            if (one.bestBy(1 - C3.WEIGHT) != one.bestBy(C3.WEIGHT)) {
                others++;
            }
        }
        assertThat(others).isGreaterThan(1000);
    }

    private static String[] lines() throws IOException {
        return table().lines().filter(line -> !line.startsWith("#")).toArray(String[]::new);
    }

    private static String table() throws IOException {
        try (InputStream table = ReplicasTest.class.getResourceAsStream(C3Table.FILE)) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
