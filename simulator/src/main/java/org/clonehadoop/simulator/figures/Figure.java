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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.Program;

/** The paper's figures 6 to 12, as jobs. */
enum Figure {
    PHASES("6", "Phases of TeraSort, 128 GB", "", Figure::base),
    COMPLETION("7", "Tasks left over time, TeraSort of 128 GB", "", Figure::base),
    SHAPES(
            "8",
            "Distribution of the delays",
            "shape of the log-normal delays",
            reading ->
                    points(
                            "%s",
                            (job, shape) -> job.withTroubles(reading.delays(shape)),
                            reading,
                            1,
                            2,
                            10)),
    MAP_SIZES(
            "9",
            "Size of maps, 128 GB in all",
            "input of a map",
            reading ->
                    points(
                            "%s GB",
                            (job, size) -> job.withTasks((int) (128 / size), job.reduces()),
                            reading,
                            0.5,
                            1,
                            2,
                            4)),
    REDUCE_SIZES(
            "10",
            "Size of reduces, 128 GB in all",
            "input of a reduce",
            reading ->
                    points(
                            "%s GB",
                            (job, size) -> job.withTasks(job.maps(), (int) (128 / size)),
                            reading,
                            0.5,
                            1,
                            2)),
    JOB_SIZES(
            "11",
            "Size of the job, maps of 4 GB and reduces of 2 GB",
            "input of the job",
            reading ->
                    points(
                            "%s GB",
                            (job, size) ->
                                    job.withMegabytes(1024 * size)
                                            .withTasks((int) (size / 4), (int) (size / 2)),
                            reading,
                            32,
                            64,
                            128,
                            256)),
    PROGRAMS("12", "Programs by what their maps pass on", "", Figure::programs);

    final String number;
    final String title;
    final String xTitle;
    private final Function<Reading, Map<String, JobSpec>> points;

    Figure(
            String number,
            String title,
            String xTitle,
            Function<Reading, Map<String, JobSpec>> points) {
        this.number = number;
        this.title = title;
        this.xTitle = xTitle;
        this.points = points;
    }

    /** By their labels. */
    Map<String, JobSpec> points(Reading reading) {
        return points.apply(reading);
    }

    private static Map<String, JobSpec> base(Reading reading) {
        return Map.of("128 GB", reading.job());
    }

    private static Map<String, JobSpec> points(
            String label,
            BiFunction<JobSpec, Double, JobSpec> spec,
            Reading reading,
            double... values) {
        Map<String, JobSpec> points = new LinkedHashMap<>();
        for (double value : values) {
            String number = String.valueOf(value).replaceFirst("\\.0$", "");
            points.put(label.formatted(number), spec.apply(reading.job(), value));
        }
        return points;
    }

    /**
     * All read a megabyte as fast as TeraSort does, so that what they pass on is the only thing in
     * which they differ: WordCount's combiner leaves little of natural text, and KMeans has next to
     * nothing for its one reduce.
     */
    private static Map<String, JobSpec> programs(Reading reading) {
        JobSpec sort = reading.job();
        Map<String, JobSpec> points = new LinkedHashMap<>();
        points.put("TeraSort, Sort", sort);
        points.put("like WordCount", sort.withProgram(passingOn("wordcount", 0.05)));
        points.put(
                "like KMeans",
                sort.withTasks(sort.maps(), 1).withProgram(passingOn("kmeans", 0.0001)));
        return points;
    }

    private static Program passingOn(String name, double share) {
        Program sort = Program.TERASORT;
        return new Program(name, sort.mapCpu(), share, sort.reduceCpu(), sort.reduceOutput());
    }
}
