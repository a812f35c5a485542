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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A trace made by hand: jobs of all kinds, some at once. */
final class TenJobs {
    static final List<String> LINES =
            List.of(
                    line("tiny", 10, 10, 700_000, 2_000_000, 600_000),
                    line("map-only", 12, 2, 3L << 30, 0, 1L << 20),
                    line("nothing", 20, 8, 0, 0, 0),
                    line("sort", 30, 10, 4L << 30, 4L << 30, 4L << 30),
                    line("grep", 31, 1, 2L << 30, 50_000, 50_000),
                    line("expands", 60, 29, 128L << 20, 3L << 30, 1L << 30),
                    line("generates", 90, 30, 500, 0, 6L << 30),
                    line("join", 100, 10, 13L << 30, 2L << 30, 100L << 20),
                    line("after-an-hour", 3600, 3500, 1L << 30, 0, 0),
                    line("last", 7200, 3600, 256L << 20, 256L << 20, 256L << 20));

    private TenJobs() {}

    private static String line(
            String id, long submit, long gap, long input, long shuffle, long output) {
        return String.join(
                "\t",
                id,
                String.valueOf(submit),
                String.valueOf(gap),
                String.valueOf(input),
                String.valueOf(shuffle),
                String.valueOf(output));
    }

    static Path in(Path directory) throws IOException {
        return Files.write(directory.resolve("ten.tsv"), LINES);
    }

    static List<SwimJob> jobs(Path directory) throws IOException {
        return SwimTrace.read(in(directory), 3 * 3600);
    }
}
