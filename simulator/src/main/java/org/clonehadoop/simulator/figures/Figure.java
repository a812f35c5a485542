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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.trouble.LogNormal;

/** The paper's figures 6 to 11, and what it claims of each. */
enum Figure {
    PHASES(
            "6",
            "TeraSort of 128 GB",
            "both phases are shorter with per-spill outputs, and cloning takes another 11 % of"
                    + " either (Observations 1, 2)",
            base -> Map.of("128 GB", base),
            Figure::phases),
    ORDERS(
            "7",
            "when second attempts are ordered",
            "new attempts are ordered early in a phase, clones late (Observation 4)",
            base -> Map.of("128 GB", base),
            Figure::orders),
    SHAPES(
            "8",
            "shape of the stragglers' distribution",
            "cloning gains most at shape 2, next to nothing at 1 and 10 (Observation 6)",
            base -> byNumber(v -> base.withTroubles(new LogNormal(Figure.SCALE, v)), "", 1, 2, 10),
            Figure::valley),
    MAP_SIZES(
            "9",
            "size of a map",
            "clones cost a little with maps of 0.5 to 1 GB, and gain more and more beyond"
                    + " (Observation 7)",
            base ->
                    byNumber(
                            v -> base.withTasks((int) (128 / v), base.reduces()),
                            " GB",
                            0.5,
                            1,
                            2,
                            4),
            grid -> falls(grid, Variant.LATE)),
    REDUCE_SIZES(
            "10",
            "size of a reduce",
            "over LATE, clones gain more the larger the reduces (Observation 8)",
            base -> byNumber(v -> base.withTasks(base.maps(), (int) (128 / v)), " GB", 0.5, 1, 2),
            grid -> falls(grid, Variant.LATE)),
    JOB_SIZES(
            "11",
            "size of the job",
            "the gain over Hadoop grows with the job, up to 25 % (Observation 10)",
            base ->
                    byNumber(
                            v ->
                                    base.withMegabytes(1024 * v)
                                            .withTasks((int) (v / 4), (int) (v / 2)),
                            " GB",
                            32,
                            64,
                            128,
                            256),
            grid -> falls(grid, Variant.HADOOP));

    /** The paper doesn't say its stragglers' scale; so many times its work an attempt waits. */
    private static final double SCALE = 0.1;

    /** Differences below it are none. */
    private static final double NOISE = 0.01;

    final String number;
    final String xTitle;
    final String claim;
    private final Function<JobSpec, Map<String, JobSpec>> points;
    private final Function<Grid, String> verdict;

    Figure(
            String number,
            String xTitle,
            String claim,
            Function<JobSpec, Map<String, JobSpec>> points,
            Function<Grid, String> verdict) {
        this.number = number;
        this.xTitle = xTitle;
        this.claim = claim;
        this.points = points;
        this.verdict = verdict;
    }

    /** By their labels. */
    Map<String, JobSpec> points(JobSpec base) {
        return points.apply(base.withTroubles(new LogNormal(SCALE, 2)));
    }

    /** "holds", or "doesn't" and why. */
    String verdict(Grid grid) {
        return verdict.apply(grid);
    }

    private static Map<String, JobSpec> byNumber(
            DoubleFunction<JobSpec> spec, String unit, double... values) {
        Map<String, JobSpec> points = new LinkedHashMap<>();
        DoubleStream.of(values)
                .forEach(
                        value ->
                                points.put(
                                        (value % 1 == 0
                                                        ? String.valueOf((long) value)
                                                        : String.valueOf(value))
                                                + unit,
                                        spec.apply(value)));
        return points;
    }

    private static String phases(Grid grid) {
        String point = grid.points().get(0);
        Outcome hadoop = grid.at(point, Variant.HADOOP);
        Outcome late = grid.at(point, Variant.LATE);
        Outcome paper = grid.at(point, Variant.PAPER);
        double maps = paper.mapsEndSeconds() / late.mapsEndSeconds();
        double reduces = paper.reducesSeconds() / late.reducesSeconds();
        boolean earlier = late.mapsEndSeconds() < hadoop.mapsEndSeconds();
        return judged(
                earlier && isElevenPercent(maps) && isElevenPercent(reduces),
                "maps end at %.2f of Hadoop's time with LATE; cloning takes %.2f of LATE's time"
                        + " for maps, %.2f for reduces",
                late.mapsEndSeconds() / hadoop.mapsEndSeconds(),
                maps,
                reduces);
    }

    private static boolean isElevenPercent(double ratio) {
        return ratio >= 0.80 && ratio <= 0.97;
    }

    private static String orders(Grid grid) {
        Outcome paper = grid.at(grid.points().get(0), Variant.PAPER);
        return judged(
                paper.medianOrder(false, true) < paper.medianOrder(true, true)
                        && paper.medianOrder(false, false) < paper.medianOrder(true, false),
                "in the middle new maps are ordered after %.0f s, clones of maps after %.0f s; new"
                        + " reduces after %.0f s, clones of reduces after %.0f s (NaN: none)",
                paper.medianOrder(false, true),
                paper.medianOrder(true, true),
                paper.medianOrder(false, false),
                paper.medianOrder(true, false));
    }

    private static String valley(Grid grid) {
        List<Double> gain = grid.ratios(Variant.PAPER, Variant.LATE);
        return judged(
                gain.get(1) < gain.get(0) - NOISE && gain.get(1) < gain.get(2) - NOISE,
                "cloning takes %.3f, %.3f and %.3f of LATE's time at shapes 1, 2 and 10",
                gain.get(0),
                gain.get(1),
                gain.get(2));
    }

    private static String falls(Grid grid, Variant base) {
        List<Double> ratios = grid.ratios(Variant.PAPER, base);
        boolean falls = ratios.get(ratios.size() - 1) < ratios.get(0) - NOISE;
        for (int i = 1; i < ratios.size(); i++) {
            falls &= ratios.get(i) < ratios.get(i - 1) + NOISE;
        }
        return judged(
                falls,
                "cloning takes %s of the time of %s",
                String.join(
                        ", ",
                        ratios.stream()
                                .map(ratio -> String.format(Locale.ROOT, "%.3f", ratio))
                                .toList()),
                base.title);
    }

    private static String judged(boolean holds, String because, Object... values) {
        return (holds ? "holds: " : "doesn't, because ")
                + String.format(Locale.ROOT, because, values);
    }
}
