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

import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;

/**
 * The processes of a task, as its own thread for its status asks for them before each report. The
 * answers are stock's, but for two things. While the gate is closed no look at them begins: it has
 * files of all processes of its host open, one after the other, and a clone made in its midst finds
 * none of these. And a clone's process begins with no CPU time, so what its original had used until
 * the freeze is added.
 */
final class TaskProcesses extends ResourceCalculatorProcessTree {
    private ResourceCalculatorProcessTree tree;
    private long earlierMillis;
    private long cpuMillis;

    private TaskProcesses(ResourceCalculatorProcessTree tree) {
        super(null); // only of use to those who look themselves
        this.tree = tree;
    }

    /**
     * In the original, just before the gate is closed: a last look for the CPU time used so far.
     * The thread that reads these has the task's monitor meanwhile. Nothing if the task doesn't
     * count them.
     */
    static void note(Task task) {
        synchronized (task) {
            ResourceCalculatorProcessTree tree = Hidden.PROCESSES.get(task);
            if (tree == null) {
                return;
            }
            TaskProcesses processes =
                    tree instanceof TaskProcesses ours ? ours : new TaskProcesses(tree);
            processes.updateProcessTree();
            Hidden.PROCESSES.set(task, processes);
        }
    }

    /**
     * In the clone: its own processes, as if they had used what the original's had. Without the
     * task's monitor, whose owner may wait at the gate.
     */
    static void carryOver(Task task) {
        if (Hidden.PROCESSES.get(task) instanceof TaskProcesses processes) {
            ResourceCalculatorProcessTree own =
                    new ProcfsBasedProcessTree(Long.toString(ProcessHandle.current().pid()));
            own.setConf(task.getConf());
            own.updateProcessTree();
            processes.carryOver(own);
        }
    }

    private synchronized void carryOver(ResourceCalculatorProcessTree own) {
        long now = own.getCumulativeCpuTime();
        if (cpuMillis != UNAVAILABLE && now != UNAVAILABLE) {
            earlierMillis = cpuMillis - now;
        }
        tree = own;
    }

    @Override
    public void updateProcessTree() {
        TaskHooks.GATE.enter();
        try {
            look();
        } finally {
            TaskHooks.GATE.leave();
        }
    }

    /** Stock's adds what was used since its last look each time that it is asked: so, once. */
    private synchronized void look() {
        tree.updateProcessTree();
        long millis = tree.getCumulativeCpuTime();
        cpuMillis = millis == UNAVAILABLE ? UNAVAILABLE : earlierMillis + millis;
    }

    @Override
    public synchronized long getCumulativeCpuTime() {
        return cpuMillis;
    }

    private synchronized ResourceCalculatorProcessTree tree() {
        return tree;
    }

    @Override
    public String getProcessTreeDump() {
        return tree().getProcessTreeDump();
    }

    @Override
    public long getVirtualMemorySize(int olderThanAge) {
        return tree().getVirtualMemorySize(olderThanAge);
    }

    @Override
    public long getRssMemorySize(int olderThanAge) {
        return tree().getRssMemorySize(olderThanAge);
    }

    @Override
    public float getCpuUsagePercent() {
        return tree().getCpuUsagePercent();
    }

    @Override
    public boolean checkPidPgrpidForMatch() {
        return tree().checkPidPgrpidForMatch();
    }
}
