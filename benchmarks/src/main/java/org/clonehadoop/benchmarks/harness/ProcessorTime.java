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
import java.util.Arrays;

/** What all processors have done since the machine started, in its own ticks. */
record ProcessorTime(long all, long stolen) {
    // Of "cpu user nice system idle iowait irq softirq steal guest guest_nice"; proc(5). The
    // guests' times are in the user's already.
    private static final int TIMES = 8;
    private static final int STOLEN = 7;

    static ProcessorTime now() throws IOException {
        return parse(Files.readAllLines(Path.of("/proc/stat")).get(0));
    }

    static ProcessorTime parse(String line) {
        long[] times =
                Arrays.stream(line.split("\\s+"))
                        .skip(1)
                        .limit(TIMES)
                        .mapToLong(Long::parseLong)
                        .toArray();
        return new ProcessorTime(Arrays.stream(times).sum(), times[STOLEN]);
    }

    /** The share of the time since then that a virtual machine's host gave to others. */
    double stolenPercentSince(ProcessorTime before) {
        long time = all - before.all;
        return time == 0 ? 0 : Math.round(1000.0 * (stolen - before.stolen) / time) / 10.0;
    }
}
