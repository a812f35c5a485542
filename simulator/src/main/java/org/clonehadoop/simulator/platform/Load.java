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
 * How much of each resource a piece of work takes in all.
 *
 * @param cpu seconds of one processor, of which it never uses more at once
 * @param disk megabytes
 * @param net megabytes
 * @param idle seconds in which it only waits, for a service or for a disk elsewhere
 */
public record Load(double cpu, double disk, double net, double idle) {
    public static final Load NONE = new Load(0, 0, 0);

    /** One that waits for nothing else. */
    public Load(double cpu, double disk, double net) {
        this(cpu, disk, net, 0);
    }

    /** As Hadoop's counters have it. */
    public static long bytes(double megabytes) {
        return Math.round(megabytes * (1 << 20));
    }

    double of(Resource resource) {
        return switch (resource) {
            case CPU -> cpu;
            case DISK -> disk;
            case NET -> net;
        };
    }

    public Load times(double factor) {
        return new Load(cpu * factor, disk * factor, net * factor, idle * factor);
    }

    public Load plus(Load other) {
        return new Load(cpu + other.cpu, disk + other.disk, net + other.net, idle + other.idle);
    }
}
