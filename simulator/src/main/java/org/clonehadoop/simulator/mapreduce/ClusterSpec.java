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
package org.clonehadoop.simulator.mapreduce;

import java.util.Optional;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.MachineSpec;
import org.clonehadoop.simulator.yarn.Containers;
import org.clonehadoop.simulator.yarn.Sharing;

/**
 * What jobs share.
 *
 * @param heartbeatMillis from a node's report to the ResourceManager to its next
 * @param machine that all hosts are parts of; empty if each is a machine itself
 */
public record ClusterSpec(
        int hosts,
        HostSpec host,
        long heartbeatMillis,
        Optional<MachineSpec> machine,
        Sharing sharing) {

    /** What the job says of where it runs, each host a machine. */
    public static ClusterSpec of(JobSpec job, Sharing sharing) {
        return new ClusterSpec(
                job.hosts(),
                job.host(),
                Containers.NODE_HEARTBEAT_MILLIS,
                Optional.empty(),
                sharing);
    }
}
