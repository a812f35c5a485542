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
package org.clonehadoop.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private long now = Long.MAX_VALUE - 1_000_000_000L; // a clock that turns over meanwhile
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Progress progress =
            new Progress(
                    "ours", 10, new PrintStream(said, true, StandardCharsets.UTF_8), () -> now);

    private long lines() {
        return said.toString(StandardCharsets.UTF_8).lines().count();
    }

    @Test
    void itSpeaksEveryTwoSeconds() {
        for (int tenths = 1; tenths <= 70; tenths++) {
            now += 100_000_000L;
            progress.accept(new Day.State(1800, 3, 2));
        }

        assertThat(lines()).isEqualTo(3);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .startsWith("ours: 3 of 10 jobs have ended and 2 run at 0.50 h, after 2 s");
    }
}
