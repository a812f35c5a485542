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

/**
 * What a program does with a megabyte.
 *
 * @param mapCpu seconds of a processor for one of a map's input, with collecting and sorting
 * @param mapOutput megabytes that it makes of one
 * @param reduceCpu seconds of a processor for one of a reduce's input
 * @param reduceOutput megabytes that it makes of one
 * @param waits seconds that a task waits for a megabyte of its input, whatever its host has
 * @param namesOneHost whether its maps ask for one host each, as TeraSort's, and not for all that
 *     have their block
 */
public record Program(
        String name,
        double mapCpu,
        double mapOutput,
        double reduceCpu,
        double reduceOutput,
        double waits,
        boolean namesOneHost) {
    /** So that the paper's base job takes 15 to 45 minutes on its hosts, as it says. */
    public static final Program TERASORT = new Program("terasort", 0.12, 1, 0.1, 1);

    /**
     * @param seconds of a processor for a megabyte
     * @param share of them that have some property
     * @return the same share of these and of the wait, all of which has it
     */
    public double withWait(double seconds, double share) {
        return (seconds * share + waits) / (seconds + waits);
    }

    /** One whose maps may as well run on any host that has their block. */
    public Program(
            String name, double mapCpu, double mapOutput, double reduceCpu, double reduceOutput) {
        this(name, mapCpu, mapOutput, reduceCpu, reduceOutput, 0, false);
    }
}
