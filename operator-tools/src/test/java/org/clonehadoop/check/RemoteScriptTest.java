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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class RemoteScriptTest {
    /** More than a pipe takes. */
    private static final String LONG = "x".repeat(1 << 20);

    /** As a node that hangs behind its port, with the targets of a large cluster. */
    @Test
    @Timeout(60)
    void aNodeThatReadsNothingIsGivenUpAfterItsLimit() {
        RemoteScript script =
                new RemoteScript("probe-network", List.of("sh", "-c", "exec sleep 600", "{}"), 1);
        assertThatThrownBy(() -> script.run("h1", List.of(LONG)))
                .isInstanceOf(RemoteScript.NoAnswerException.class)
                .hasMessage("no answer within 1 s");
    }

    @Test
    void argumentsOfAnyLengthAndKindArrive() throws Exception {
        RemoteScript script =
                new RemoteScript("probe-network", List.of("sh", "-c", "wc --bytes", "{}"), 60);
        assertThat(Integer.parseInt(script.run("h1", List.of(LONG, "it's")).strip()))
                .isGreaterThan(LONG.length());
    }
}
