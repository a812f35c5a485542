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
package org.clonehadoop.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CommandsTest {
    @CommandLine.Command(name = "clone-hadoop try")
    private static final class Failing implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            Files.writeString(Path.of("/no/such/directory/x"), "");
            return 0;
        }
    }

    @Test
    void whatGoesWrongIsOneLine() {
        StringWriter said = new StringWriter();
        int code = Commands.line(new Failing()).setErr(new PrintWriter(said, true)).execute();
        assertThat(code).isEqualTo(1);
        assertThat(said.toString().lines())
                .containsExactly(
                        "clone-hadoop try: can't read or write /no/such/directory/x:"
                                + " NoSuchFileException");
    }
}
