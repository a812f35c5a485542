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

import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskProcessesTest {
    private static final String OWN = Long.toString(ProcessHandle.current().pid());

    private final Task task = TaskJvm.reduce(1);

    @BeforeEach
    void countsItsProcesses() {
        Hidden.PROCESSES.set(task, new ProcfsBasedProcessTree(OWN));
    }

    private ResourceCalculatorProcessTree processes() {
        return Hidden.PROCESSES.get(task);
    }

    /** The status thread has it while it reads the tree of processes. */
    @Test
    void noteWaitsForTheTasksMonitor() throws Exception {
        Thread noting = new Thread(() -> TaskProcesses.note(task));
        synchronized (task) {
            noting.start();
            await().until(() -> noting.getState() == Thread.State.BLOCKED || !noting.isAlive());
            assertThat(noting.isAlive()).isTrue();
        }
        noting.join();
    }

    /**
     * Its reader, with the task's monitor, waits until the gate is open again; the clone has its
     * own processes by then, which that look finds.
     */
    @Test
    void noLookBeginsWhileTheGateIsClosed() throws Exception {
        TaskProcesses.note(task);
        assertThat(TaskHooks.GATE.close(0)).isTrue();
        Thread looking = new Thread(this::look);
        try {
            looking.start();
            await().until(() -> looking.getState() == Thread.State.WAITING || !looking.isAlive());
            assertThat(looking.isAlive()).isTrue();
            TaskProcesses.carryOver(task);
        } finally {
            TaskHooks.GATE.open();
        }
        looking.join();
        assertThat(processes().getRssMemorySize()).isPositive();
    }

    private void look() {
        synchronized (task) {
            processes().updateProcessTree();
        }
    }

    @Test
    void cpuTimeGoesOnWhereTheOriginalsWas() {
        TaskProcesses.note(task);
        long noted = processes().getCumulativeCpuTime();
        assertThat(noted).isPositive();
        TaskProcesses.carryOver(task);
        assertThat(processes().getCumulativeCpuTime()).isEqualTo(noted);
        processes().updateProcessTree();
        // This process has used at least as much as that since it began: twice would be seen.
        assertThat(processes().getCumulativeCpuTime()).isBetween(noted, 2 * noted - 1);
    }

    @Test
    void aTaskThatDoesNotCountThemHasNone() {
        Hidden.PROCESSES.set(task, null);
        TaskProcesses.note(task);
        TaskProcesses.carryOver(task);
        assertThat(processes()).isNull();
    }
}
