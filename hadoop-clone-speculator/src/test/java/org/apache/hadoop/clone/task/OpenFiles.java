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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What processes have open. */
final class OpenFiles {
    private OpenFiles() {}

    /** Of each descriptor what /proc says that it is: a file's path, or such as socket:[7]. */
    static List<String> of(long pid) throws IOException {
        List<String> targets = new ArrayList<>();
        try (Stream<Path> links = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path link : links.toList()) {
                try {
                    targets.add(Files.readSymbolicLink(link).toString());
                } catch (NoSuchFileException e) {
                    continue; // closed meanwhile
                }
            }
        }
        return targets;
    }
}
