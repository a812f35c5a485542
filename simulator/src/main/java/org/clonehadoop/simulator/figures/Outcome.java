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
package org.clonehadoop.simulator.figures;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/** What became of the runs of one variant at one point of a figure, seed by seed. */
record Outcome(List<RunRecord> runs) {

    double[] each(ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).toArray();
    }

    double mean(ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).average().orElseThrow();
    }

    double jobSeconds() {
        return mean(RunRecord::jobSeconds);
    }

    double mapsEndSeconds() {
        return mean(RunRecord::mapsEndSeconds);
    }

    /** From the end of the maps to that of the last reduce's fetching. */
    double shuffleSeconds() {
        return mean(run -> run.shuffleEndSeconds() - run.mapsEndSeconds());
    }

    /** From the end of the maps to the job's. */
    double reducesSeconds() {
        return jobSeconds() - mapsEndSeconds();
    }

    /** Tasks that a second attempt has won, per run. */
    double won() {
        return mean(run -> run.wonNew() + run.wonClones());
    }

    /** Second attempts that were ordered, per run. */
    double ordered() {
        return mean(run -> run.orderedNew() + run.orderedClones());
    }

    /**
     * When such orders were given.
     *
     * @param unit what the runs' times are divided by
     */
    DoubleStream orders(boolean cloned, boolean map, Outcome unit) {
        return IntStream.range(0, runs.size())
                .boxed()
                .flatMapToDouble(
                        seed ->
                                runs.get(seed).orders().stream()
                                        .filter(o -> o.cloned() == cloned && o.map() == map)
                                        .mapToDouble(o -> o.seconds() / unit.jobSeconds(seed)));
    }

    /** The middle of {@link #orders}; empty if there were none. */
    OptionalDouble medianOrder(boolean cloned, boolean map, Outcome unit) {
        double[] times = orders(cloned, map, unit).sorted().toArray();
        return times.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(times[times.length / 2]);
    }

    /**
     * Of all maps or reduces, in the mean of all runs.
     *
     * @param time as {@link #orders}
     */
    double tasksLeft(boolean map, double time, Outcome unit) {
        return IntStream.range(0, runs.size())
                .mapToLong(
                        seed ->
                                runs.get(seed).ends().stream()
                                        .filter(end -> end.map() == map)
                                        .filter(end -> end.seconds() / unit.jobSeconds(seed) > time)
                                        .count())
                .average()
                .orElseThrow();
    }

    private double jobSeconds(int seed) {
        return runs.get(seed).jobSeconds();
    }
}
