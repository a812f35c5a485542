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
import static org.awaitility.Awaitility.await;

import java.util.stream.Stream;
import org.apache.hadoop.mapred.Task;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class CpuTimeTest {
    private static final Task TASK = TaskJvm.reduce(1);

    /** The status thread has it while it reads the tree of processes. */
    @ParameterizedTest
    @MethodSource("users")
    void waitsForTheTasksMonitor(Runnable user) throws Exception {
        Thread thread = new Thread(user);
        synchronized (TASK) {
            thread.start();
            await().until(() -> thread.getState() == Thread.State.BLOCKED || !thread.isAlive());
            assertThat(thread.isAlive()).isTrue();
        }
        thread.join();
    }

    static Stream<Runnable> users() {
        return Stream.of(() -> CpuTime.note(TASK), () -> CpuTime.carryOver(TASK));
    }
}
