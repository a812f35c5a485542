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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** As a map's, of which Hadoop runs one after the other. */
@Timeout(60)
@Isolated("other tests of this JVM have started processes of their own")
class StartedProcessesTest {
    private static final int LOOKING_MILLIS = 1000;

    private final Deque<Process> started = new ArrayDeque<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private void start() {
        try {
            started.add(new ProcessBuilder("sleep", "600").start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> look() {
        return RunningTask.company(List.of());
    }

    @Test
    void oneThatIsThereAtEveryLookStays() {
        start();
        assertThat(Company.staying(StartedProcessesTest::look, LOOKING_MILLIS).what())
                .hasValue("it has started another process, " + started.element().pid());
    }

    /** There is one at every look, and never the same at two that follow each other. */
    @Test
    void ofThoseThatFollowEachOtherNoneStays() {
        start();
        assertThat(Company.staying(this::lookAndReplace, LOOKING_MILLIS).what()).isEmpty();
    }

    private Set<String> lookAndReplace() {
        Set<String> seen = look();
        start();
        started.remove().destroyForcibly().onExit().join();
        return seen;
    }
}
