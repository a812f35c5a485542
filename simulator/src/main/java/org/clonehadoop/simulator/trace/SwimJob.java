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
package org.clonehadoop.simulator.trace;

import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.Program;

/**
 * A job of a trace of SWIM's form, which tells nothing of tasks: how many it has follows from its
 * bytes, as at Hive's and HDFS's presets of the time.
 *
 * @param outputMegabytes of its reduces, or of its maps if nothing is shuffled
 */
record SwimJob(
        String id,
        double submitSeconds,
        double inputMegabytes,
        double shuffleMegabytes,
        double outputMegabytes) {

    private static final double BLOCK_MEGABYTES = 128;

    /** Traces have jobs that make 80 GB of some kilobytes; no map alone has made them. */
    private static final double MOST_OF_A_MAP_MEGABYTES = 1024;

    /** Hive's {@code hive.exec.reducers.bytes.per.reducer} and {@code hive.exec.reducers.max}. */
    private static final double REDUCE_MEGABYTES = 1024;

    private static final int MOST_REDUCES = 999;

    /** Of a job without input: what a split is written in. */
    private static final double LEAST_INPUT_MEGABYTES = 1 / 1024.0;

    int maps() {
        double most =
                Math.max(
                        inputMegabytes / BLOCK_MEGABYTES,
                        mapOutputMegabytes() / MOST_OF_A_MAP_MEGABYTES);
        return Math.max(1, (int) Math.ceil(most));
    }

    int reduces() {
        return (int) Math.min(MOST_REDUCES, Math.ceil(shuffleMegabytes / REDUCE_MEGABYTES));
    }

    private double mapOutputMegabytes() {
        return shuffleMegabytes > 0 ? shuffleMegabytes : outputMegabytes;
    }

    private double readMegabytes() {
        return Math.max(LEAST_INPUT_MEGABYTES, inputMegabytes);
    }

    /**
     * @param cluster where it runs, and what troubles it
     */
    JobSpec on(JobSpec cluster) {
        return cluster.withProgram(program())
                .withMegabytes(readMegabytes())
                .withTasks(maps(), reduces());
    }

    /** A sort's time per megabyte: half for what goes in, half for what comes out. */
    private Program program() {
        double mapped = mapOutputMegabytes() / readMegabytes();
        double reduced = shuffleMegabytes > 0 ? outputMegabytes / shuffleMegabytes : 0;
        return new Program(
                id,
                Program.TERASORT.mapCpu() * (1 + mapped) / 2,
                mapped,
                Program.TERASORT.reduceCpu() * (1 + reduced) / 2,
                reduced);
    }
}
