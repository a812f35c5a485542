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
package org.clonehadoop.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files with an object of JSON in each line. */
final class Lines {
    private Lines() {}

    /**
     * @param what such as "job", for what is said of a line that is none
     * @throws IOException if the file can't be read, or a line isn't one
     */
    static <L> List<L> read(Path file, Class<L> type, String what) throws IOException {
        ObjectReader reader = new ObjectMapper().readerFor(type);
        List<L> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            try {
                lines.add(reader.readValue(line));
            } catch (IOException notOne) {
                String where = file + ":" + (lines.size() + 1);
                throw new IOException(where + ": no " + what + ": " + notOne.getMessage(), notOne);
            }
        }
        return lines;
    }
}
