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
package org.clonehadoop.simulator.platform;

import java.util.ArrayList;
import java.util.List;

/** One machine that hosts are but parts of: above what each may have, they share what it has. */
public final class Machine {
    private final MachineSpec spec;
    private final List<SimHost> hosts = new ArrayList<>();

    public Machine(MachineSpec spec) {
        this.spec = spec;
    }

    void add(SimHost host) {
        hosts.add(host);
    }

    List<SimHost> hosts() {
        return hosts;
    }

    boolean hasEqualHosts() {
        return spec.equalHosts();
    }

    /** How much one unit of a host's is worth. */
    double pace(Resource resource) {
        return resource == Resource.CPU ? spec.pace() : 1;
    }

    /** What all hosts have together. */
    double capacity(Resource resource) {
        return switch (resource) {
            case CPU -> spec.processors() * spec.pace();
            case DISK -> spec.diskMegabytes();
            case NET -> Double.POSITIVE_INFINITY; // each host has a link of its own
        };
    }
}
