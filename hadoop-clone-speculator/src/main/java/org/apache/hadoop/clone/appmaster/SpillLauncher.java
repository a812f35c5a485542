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
import java.util.Map;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/** Stock's launcher of tasks that all know where spills are published. */
final class SpillLauncher extends CompositeService implements ContainerLauncher {
    private final ContainerLauncher stock;
    private final SpillService spills;
    private final LaunchSecrets secrets;
    private boolean accepted;

    SpillLauncher(ContainerLauncher stock, SpillService spills, LaunchSecrets secrets) {
        super(SpillLauncher.class.getName());
        this.stock = stock;
        addService((Service) stock);
        this.spills = spills;
        this.secrets = secrets;
    }

    @Override
    public void handle(ContainerLauncherEvent event) {
        if (event.getType() == EventType.CONTAINER_REMOTE_LAUNCH
                && event instanceof ContainerRemoteLaunchEvent launch
                && spills.isReachable()) {
            mark(launch);
        }
        stock.handle(event);
    }

    /** All tasks or none: a reduce with stock's shuffle can't fetch what is published in spills. */
    private void mark(ContainerRemoteLaunchEvent event) {
        ContainerLaunchContext container = event.getContainerLaunchContext();
        if (!accepted) {
            try {
                spills.accept(
                        TypeConverter.fromYarn(event.getTaskAttemptID().getTaskId().getJobId())
                                .toString(),
                        secrets.learn(container));
            } catch (IOException e) {
                throw new YarnRuntimeException("No tasks that publish spills", e);
            }
            accepted = true;
        }
        Map<String, String> environment = new HashMap<>(container.getEnvironment());
        environment.put(SpillProtocol.ADDRESS, spills.address());
        container.setEnvironment(environment);
    }
}
