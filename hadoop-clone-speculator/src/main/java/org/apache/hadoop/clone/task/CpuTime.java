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
 * The task's CPU counter. A clone's process begins with no CPU time, so what its original had used
 * until the freeze is noted in there, and added afterwards. The task's own thread for its status
 * reads the same objects, with the task's monitor.
 */
final class CpuTime {
    private static volatile long used;

    private CpuTime() {}

    /** In the original, just before its freeze. */
    static void note(Task task) {
        synchronized (task) {
            ResourceCalculatorProcessTree tree = Hidden.PROCESSES.get(task);
            used = 0;
            if (tree != null) {
                tree.updateProcessTree();
                long now = tree.getCumulativeCpuTime();
                long beginning = Hidden.FIRST_CPU_MILLIS.get(task);
                if (now != ResourceCalculatorProcessTree.UNAVAILABLE
                        && beginning != ResourceCalculatorProcessTree.UNAVAILABLE) {
                    used = now - beginning;
                }
            }
        }
    }

    /** In the clone: its own tree of processes, as if it had used what its original had. */
    static void carryOver(Task task) {
        synchronized (task) {
            if (Hidden.PROCESSES.get(task) == null) {
                return;
            }
            ResourceCalculatorProcessTree tree =
                    new ProcfsBasedProcessTree(Long.toString(ProcessHandle.current().pid()));
            tree.setConf(task.getConf());
            tree.updateProcessTree();
            Hidden.PROCESSES.set(task, tree);
            Hidden.FIRST_CPU_MILLIS.set(task, tree.getCumulativeCpuTime() - used);
        }
    }
}
