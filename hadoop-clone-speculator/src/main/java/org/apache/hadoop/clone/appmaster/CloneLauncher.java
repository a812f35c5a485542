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
package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stock's launcher, with tasks that can be cloned, and clones in place of some. */
final class CloneLauncher extends CompositeService implements ContainerLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(CloneLauncher.class);

    private final ContainerLauncher stock;
    private final CloneCoordinator coordinator;
    private final TaskMarks marks;

    /** What tasks must be given to be cloned. */
    interface TaskMarks {
        /** {@code host:port} of the clone service; null if it can't be reached. */
        String address();

        /** The agent's jar, as tasks find it. */
        String agentJar();

        /**
         * Whether maps publish their spills, and so may have little in memory when they are cloned.
         */
        boolean perSpill();

        /** Before the first task is launched. */
        void firstLaunch(ContainerLaunchContext container) throws IOException;
    }

    private boolean launched;

    CloneLauncher(ContainerLauncher stock, CloneCoordinator coordinator, TaskMarks marks) {
        super(CloneLauncher.class.getName());
        this.stock = stock;
        addService((Service) stock);
        this.coordinator = coordinator;
        this.marks = marks;
    }

    @Override
    public void handle(ContainerLauncherEvent event) {
        if (event.getType() == EventType.CONTAINER_REMOTE_LAUNCH
                && event instanceof ContainerRemoteLaunchEvent launch) {
            if (Harmless.or(false, () -> mark(launch) && coordinator.launching(launch))) {
                return;
            }
        }
        stock.handle(event);
    }

    /** Whether the task can be cloned, as far as its launch is concerned. */
    private boolean mark(ContainerRemoteLaunchEvent event) {
        ContainerLaunchContext container = event.getContainerLaunchContext();
        List<String> commands = container.getCommands();
        if (marks.address() == null
                || !coordinator.isCloneable(event.getTaskAttemptID())
                || commands.size() != 1
                || !LaunchCommand.isTask(commands.get(0))) {
            return false;
        }
        try {
            if (!launched) {
                marks.firstLaunch(container);
                launched = true;
            }
        } catch (IOException e) {
            LOG.error("{} can't be cloned: {}", event.getTaskAttemptID(), e.getMessage());
            return false;
        }
        Map<String, String> environment = new HashMap<>(container.getEnvironment());
        environment.put(CloneProtocol.ADDRESS, marks.address());
        environment.merge(
                Environment.CLASSPATH.name(),
                marks.agentJar(),
                (before, jar) -> before + ApplicationConstants.CLASS_PATH_SEPARATOR + jar);
        container.setEnvironment(environment);
        String command = commands.get(0);
        if (marks.perSpill()
                && event.getTaskAttemptID().getTaskId().getTaskType() == TaskType.MAP) {
            command = LaunchCommand.withSmallHeap(command);
        }
        container.setCommands(List.of(LaunchCommand.cloneable(command, marks.agentJar())));
        return true;
    }
}
