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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file of {@code name: value} lines, as the kernel writes them. */
public record ProcFile(List<String> lines) {
    public static ProcFile read(String path) throws IOException {
        return new ProcFile(Files.readAllLines(Path.of(path)));
    }

    public Optional<String> text(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name) && after(line, name).startsWith(":"))
                .map(line -> after(line, name).substring(1).strip())
                .findFirst();
    }

    private static String after(String line, String name) {
        return line.substring(name.length()).strip();
    }

    /** 0 when there is no such line. */
    public long kilobytes(String name) {
        return text(name).map(text -> Long.parseLong(text.replace(" kB", ""))).orElse(0L);
    }
}
