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

/**
 * What a host has.
 *
 * @param processors of one second per second each
 * @param diskMegabytes per second
 * @param netMegabytes per second
 * @param containers that fit on it at once
 */
public record HostSpec(
        double processors, double diskMegabytes, double netMegabytes, int containers) {
    /** The paper's Table I: 16 cores, one SATA disk, Gigabit Ethernet of which 90 MB/s are left. */
    public static HostSpec ofThePaper() {
        return new HostSpec(16, 100, 90, 8);
    }

    /** What work takes that has such a host for itself. */
    public double seconds(Load load) {
        double works =
                Math.max(
                        load.cpu() / Math.min(1, processors),
                        Math.max(load.disk() / diskMegabytes, load.net() / netMegabytes));
        return Math.max(works, load.idle());
    }

    double of(Resource resource) {
        return switch (resource) {
            case CPU -> processors;
            case DISK -> diskMegabytes;
            case NET -> netMegabytes;
        };
    }
}
