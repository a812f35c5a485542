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
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/** What the paper's section VI says it has observed, as questions to simulated runs. */
enum Observation {
    EARLY_MAPS(
            "1",
            Figure.PHASES,
            "With per-spill outputs the maps end earlier, and the first reduce starts earlier.",
            Observation::earlyMaps),
    CLONES_OVER_LATE(
            "2",
            Figure.PHASES,
            "Clones take about 11 % off both phases, compared with LATE.",
            Observation::clonesOverLate,
            "one reduce with a long delay decides how long the reduces take, and LATE begins none"
                    + " of them again"),
    CASCADE(
            "3",
            Figure.PHASES,
            "What is gained in the maps' phase grows in the later ones.",
            Observation::cascade,
            "reduces merge more and smaller segments where maps publish each spill; what clones"
                    + " gain after the maps' end they gain by clones of reduces"),
    NEW_THEN_CLONES(
            "4",
            Figure.COMPLETION,
            "New attempts are ordered early in a phase, clones near its end.",
            Observation::newThenClones,
            "an attempt can be estimated when the first ones have ended, and has done more by then"
                    + " than a clone takes"),
    SUCCESSES(
            "5",
            Figure.COMPLETION,
            "With clones more of the second attempts succeed.",
            Observation::successes),
    SHORT_TAILS(
            "6",
            Figure.SHAPES,
            "Clones gain most at shape 2, and next to nothing at 1 and 10.",
            Observation::shortTails,
            "the longest of 96 delays is as long as its task's work at shape 1, too, and a clone"
                    + " saves most of that"),
    SMALL_MAPS(
            "7",
            Figure.MAP_SIZES,
            "Clones cost a little with maps of 0.5 GB, and gain more and more with larger ones.",
            Observation::smallMaps,
            "a clone takes no longer than the smallest maps, and most is gained by the reduces,"
                    + " which are the same beside maps of any size"),
    LARGE_REDUCES(
            "8",
            Figure.REDUCE_SIZES,
            "The larger the reduces, the more clones gain over LATE.",
            grid -> falls(grid, Variant.LATE)),
    LARGE_FILE_SETS(
            "9",
            Figure.REDUCE_SIZES,
            "Clones do well even with the largest reduces, whose files they must bring along.",
            Observation::largeFileSets),
    LARGE_JOBS(
            "10",
            Figure.JOB_SIZES,
            "The gain over Hadoop grows with the job, up to 25 %.",
            grid -> falls(grid, Variant.HADOOP),
            "delays end at five times the work: Hadoop's slowest task of 128 GB has nearly that"
                    + " already, so that more tasks make its job little longer"),
    LITTLE_PASSED_ON(
            "11",
            Figure.PROGRAMS,
            "Programs that pass on little gain less.",
            Observation::littlePassedOn),
    OVERHEAD(
            "Discussion",
            Figure.PHASES,
            "Clones throw away no more of the containers' time than backups do.",
            Observation::overhead);

    /** Differences of a ratio below it are none. */
    private static final double NOISE = 0.01;

    /** Up to it a gain or loss is next to nothing. */
    private static final double LITTLE = 0.05;

    /** Around the paper's 11 %. */
    private static final double LEAST_RATIO = 0.80;

    private static final double MOST_RATIO = 0.97;

    final String number;
    final Figure figure;
    final String claim;

    /**
     * Why it doesn't hold in the first reading, if it doesn't; docs/simulator.md has the checks.
     */
    final String cause;

    private final Function<Grid, Verdict> judge;

    Observation(String number, Figure figure, String claim, Function<Grid, Verdict> judge) {
        this(number, figure, claim, judge, "of something that nobody has looked into");
    }

    Observation(
            String number,
            Figure figure,
            String claim,
            Function<Grid, Verdict> judge,
            String cause) {
        this.number = number;
        this.figure = figure;
        this.claim = claim;
        this.judge = judge;
        this.cause = cause;
    }

    static List<Observation> of(Figure figure) {
        return Stream.of(values()).filter(observation -> observation.figure == figure).toList();
    }

    String title() {
        return this == OVERHEAD ? number : "Observation " + number;
    }

    /**
     * @param grid of this observation's figure
     */
    Verdict of(Grid grid) {
        return judge.apply(grid);
    }

    private static Verdict earlyMaps(Grid grid) {
        Outcome hadoop = grid.of(Variant.HADOOP);
        Outcome late = grid.of(Variant.LATE);
        double maps = late.mapsEndSeconds() / hadoop.mapsEndSeconds();
        double reduce =
                late.mean(RunRecord::firstReduceSeconds)
                        / hadoop.mean(RunRecord::firstReduceSeconds);
        return Verdict.of(
                maps < 1 - NOISE && reduce < 1 - NOISE,
                "the maps end at %.3f of Hadoop's time, the first reduce starts at %.3f",
                maps,
                reduce);
    }

    private static Verdict clonesOverLate(Grid grid) {
        Outcome late = grid.of(Variant.LATE);
        Outcome paper = grid.of(Variant.PAPER);
        double maps = paper.mapsEndSeconds() / late.mapsEndSeconds();
        double reduces = paper.reducesSeconds() / late.reducesSeconds();
        return Verdict.of(
                isAbout11Percent(maps) && isAbout11Percent(reduces),
                "clones take %.3f of LATE's time for the maps, %.3f from their end to the job's",
                maps,
                reduces);
    }

    private static boolean isAbout11Percent(double ratio) {
        return ratio >= LEAST_RATIO && ratio <= MOST_RATIO;
    }

    private static Verdict cascade(Grid grid) {
        Outcome hadoop = grid.of(Variant.HADOOP);
        Outcome paper = grid.of(Variant.PAPER);
        Outcome late = grid.of(Variant.LATE);
        double maps = hadoop.mapsEndSeconds() - paper.mapsEndSeconds();
        double job = hadoop.jobSeconds() - paper.jobSeconds();
        // Where no reduce is begun again what is gained after the maps' end is passed on.
        double passedOnMaps = hadoop.mapsEndSeconds() - late.mapsEndSeconds();
        double passedOn = hadoop.jobSeconds() - late.jobSeconds();
        return Verdict.of(
                maps > 0 && job > maps && passedOn > passedOnMaps,
                "with clones the maps end %.0f s before Hadoop's, the job %.0f s before; with LATE,"
                        + " which begins no reduce again, %.0f and %.0f s",
                maps,
                job,
                passedOnMaps,
                passedOn);
    }

    private static Verdict newThenClones(Grid grid) {
        Outcome late = grid.of(Variant.LATE);
        Outcome paper = grid.of(Variant.PAPER);
        OptionalDouble newMap = paper.medianOrder(false, true, late);
        OptionalDouble cloneOfMap = paper.medianOrder(true, true, late);
        OptionalDouble newReduce = paper.medianOrder(false, false, late);
        OptionalDouble cloneOfReduce = paper.medianOrder(true, false, late);
        return Verdict.of(
                isBefore(newMap, cloneOfMap) && isBefore(newReduce, cloneOfReduce),
                "median order at, for maps: new %s, clones %s; for reduces: new %s, clones %s of"
                        + " LATE's job time",
                words(newMap),
                words(cloneOfMap),
                words(newReduce),
                words(cloneOfReduce));
    }

    private static boolean isBefore(OptionalDouble first, OptionalDouble second) {
        return first.isPresent()
                && second.isPresent()
                && first.getAsDouble() < second.getAsDouble();
    }

    private static String words(OptionalDouble time) {
        return time.isPresent() ? String.format(Locale.ROOT, "%.2f", time.getAsDouble()) : "never";
    }

    private static Verdict successes(Grid grid) {
        Outcome late = grid.of(Variant.LATE);
        Outcome paper = grid.of(Variant.PAPER);
        return Verdict.of(
                paper.won() / paper.ordered() > late.won() / late.ordered(),
                "%.1f of %.1f second attempts win with clones, %.1f of %.1f with LATE",
                paper.won(),
                paper.ordered(),
                late.won(),
                late.ordered());
    }

    private static Verdict shortTails(Grid grid) {
        List<Double> ratios = grid.ratios(Variant.PAPER, Variant.LATE);
        double least = Math.min(ratios.get(0), ratios.get(2));
        return Verdict.of(
                ratios.get(1) < least - NOISE
                        && isNextToNothing(ratios.get(0))
                        && isNextToNothing(ratios.get(2)),
                "clones take %s of LATE's time",
                words(grid, ratios));
    }

    private static boolean isNextToNothing(double ratio) {
        return Math.abs(ratio - 1) <= LITTLE;
    }

    private static Verdict smallMaps(Grid grid) {
        List<Double> ratios = grid.ratios(Variant.PAPER, Variant.LATE);
        return Verdict.of(
                ratios.get(0) > 1 && falls(ratios),
                "clones take %s of LATE's time, and until the maps' end %s",
                words(grid, ratios),
                words(grid, mapRatios(grid)));
    }

    private static List<Double> mapRatios(Grid grid) {
        return grid.points().stream()
                .map(
                        point ->
                                grid.at(point, Variant.PAPER).mapsEndSeconds()
                                        / grid.at(point, Variant.LATE).mapsEndSeconds())
                .toList();
    }

    private static Verdict largeFileSets(Grid grid) {
        double ratio =
                grid.last(Variant.PAPER).reducesSeconds()
                        / grid.last(Variant.LATE).reducesSeconds();
        return Verdict.of(
                ratio < 1 - NOISE,
                "with the largest reduces clones take %.3f of LATE's time from the maps' end to the"
                        + " job's",
                ratio);
    }

    private static Verdict littlePassedOn(Grid grid) {
        List<Double> ratios = grid.ratios(Variant.PAPER, Variant.HADOOP);
        return Verdict.of(
                ratios.stream().skip(1).allMatch(ratio -> ratio > ratios.get(0) + NOISE),
                "clones take %s of Hadoop's time",
                words(grid, ratios));
    }

    private static Verdict overhead(Grid grid) {
        double late = grid.of(Variant.LATE).mean(RunRecord::thrownAwaySeconds);
        double paper = grid.of(Variant.PAPER).mean(RunRecord::thrownAwaySeconds);
        return Verdict.of(
                paper <= late,
                "containers work for nothing for %.0f s with clones, for %.0f s with LATE",
                paper,
                late);
    }

    private static Verdict falls(Grid grid, Variant base) {
        List<Double> ratios = grid.ratios(Variant.PAPER, base);
        return Verdict.of(
                falls(ratios), "clones take %s of the time of %s", words(grid, ratios), base.title);
    }

    private static boolean falls(List<Double> ratios) {
        return ratios.get(ratios.size() - 1) < ratios.get(0) - NOISE
                && IntStream.range(1, ratios.size())
                        .allMatch(i -> ratios.get(i) < ratios.get(i - 1) + NOISE);
    }

    private static String words(Grid grid, List<Double> ratios) {
        return IntStream.range(0, ratios.size())
                .mapToObj(
                        i ->
                                String.format(
                                        Locale.ROOT,
                                        "%.3f (%s)",
                                        ratios.get(i),
                                        grid.points().get(i)))
                .collect(Collectors.joining(", "));
    }
}
