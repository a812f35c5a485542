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
package org.clonehadoop.benchmarks.remoteclone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.clonehadoop.benchmarks.harness.Series;

/**
 * What a {@link LoadJvm} says of itself: a line for each window of 50 ms.
 *
 * <pre>TICKS WALL_MS PID_NAMESPACE LONGEST_GAP_US RECORDS</pre>
 */
record LoadLog(List<Window> windows) {
    record Window(long ticks, long wallMs, String namespace, double longestGapMs, long records) {
        static Window parse(String line) {
            String[] words = line.split(" ");
            return new Window(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    words[2],
                    Long.parseLong(words[3]) / 1000.0,
                    Long.parseLong(words[4]));
        }
    }

    static LoadLog read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    /** The last line may be half written. */
    static LoadLog parse(String text) {
        return new LoadLog(
                text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Window::parse).toList());
    }

    /** The windows that ended between these times. */
    LoadLog between(long fromMs, long toMs) {
        return where(window -> fromMs <= window.wallMs() && window.wallMs() <= toMs);
    }

    /**
     * The windows in another PID namespace than the first one: the clone's, after its original's.
     */
    LoadLog ofClone() {
        String original = windows.get(0).namespace();
        return where(window -> !window.namespace().equals(original));
    }

    private LoadLog where(Predicate<Window> condition) {
        return new LoadLog(windows.stream().filter(condition).toList());
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    Window first() {
        return windows.get(0);
    }

    Window last() {
        return windows.get(windows.size() - 1);
    }

    double longestGapMs() {
        return gaps().max();
    }

    /** The longest gap of a typical window: what the machine's other work does to the clock. */
    double usualGapMs() {
        return gaps().median();
    }

    double recordsPerMs() {
        return (double) (last().records() - first().records())
                / (last().wallMs() - first().wallMs());
    }

    private Series gaps() {
        Series gaps = new Series();
        windows.forEach(window -> gaps.add(window.longestGapMs()));
        return gaps;
    }
}
