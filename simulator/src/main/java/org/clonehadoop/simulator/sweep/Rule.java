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
package org.clonehadoop.simulator.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.clonehadoop.simulator.Rules;

/** The numbers of today's rules: what each is, and what it is derived from. */
public enum Rule {
    FETCH_SHARE(
            "fetchShare",
            Double.POSITIVE_INFINITY,
            "of B̄, at which a reduce fetches while maps run",
            "what it has fetched took no time",
            "four share a disk or link: what maps write, what they read, what others fetch, and"
                    + " it"),
    YIELDS_AT_ONCE(
            "yieldsAtOnce",
            Integer.MAX_VALUE,
            "attempts that wait, for which it is asked whether one is to give way",
            "all",
            "for speed: a look at each costs one at all hosts"),
    DOUBT(
            "doubt",
            0,
            "for each further attempt, more that it must save, of all that it costs",
            "each must save as much as the first",
            "of k that were no better the next one is better with a chance of 1/k"),
    TRUSTED(
            "trusted",
            0,
            "report's intervals after which an attempt that has said nothing is asked for its state",
            "each is asked at each look",
            "for speed: one report may come late; 9 s, as preset, after which stock takes one to be"
                    + " missing"),
    LATELY(
            "lately",
            1,
            "part of the time that tells the pace",
            "all of it",
            "Gott: what has lasted half as long as all before it may well last"),
    SIZE_SHOWS(
            "sizeShows",
            2,
            "part of its input after which an attempt's size is known",
            "sizes aren't compared",
            "a read-ahead of some MB is a few percent of a block"),
    SAMPLES(
            "samples",
            Integer.MAX_VALUE,
            "attempts that are remembered for a part",
            "all",
            "a median of 32 is off by 1.25/√32 = 22 % of their deviation"),
    NOTABLE_SHARE(
            "notableShare",
            0,
            "of samples, up to which those of the own host may count",
            "they never do",
            "for speed: a tenth moves a median by a twentieth of its ranks"),
    ENDED(
            "ended",
            Integer.MAX_VALUE,
            "ended attempts that are compared",
            "all",
            "for speed: a deviation of 256 is off by 7 %"),
    COMPARED(
            "compared",
            Integer.MAX_VALUE,
            "running attempts that are compared",
            "all",
            "for speed: as above, by 4 %"),
    MARKS(
            "marks",
            Integer.MAX_VALUE,
            "moments of a course that are kept",
            "all",
            "for speed: the beginning of a spell is known to a 32nd of it"),
    PARTS(
            "parts",
            3,
            "of the progress, whose times are learned one by one",
            "a phase each",
            "a multiple of three, for phases are thirds; an attempt of 180 s reports once for each,"
                    + " every 6 s"),
    REPORTS_OF_PACE(
            "reportsOfPace",
            1,
            "reports that make a pace of its own",
            "one does",
            "one may be off by an interval, so two are by half"),
    STRAGGLING(
            "straggling",
            0,
            "rate over the median host's below which a host is slow",
            "none is",
            "two attempts that share a host get half each, and it isn't slow"),
    GIVEN_BACK(
            "givenBack",
            0,
            "containers on slow hosts that are given back for an attempt",
            "none",
            "as many as hosts are asked for: each has been offered once"),
    ASK_LATER_MILLIS(
            "askLaterMillis",
            0,
            "then after so long",
            "at once",
            "a container every 30 s is no load to a ResourceManager"),
    MEMORY(
            "memory",
            Double.POSITIVE_INFINITY,
            "of what hosts did, in usual attempts",
            "for ever",
            "to wait and to run takes one, and as long again (Gott)"),
    FORGOTTEN(
            "forgotten",
            0,
            "of the memory, below which a host isn't known",
            "it stays known",
            "what was seen 2.3 memories ago is a tenth of itself"),
    HOSTS(
            "hosts",
            Integer.MAX_VALUE,
            "hosts that are asked for",
            "all that aren't slow",
            "where a third of all containers is free one of ten hosts has one with 98 %"),
    COMES_FREE_MILLIS(
            "comesFreeMillis",
            0,
            "after an attempt's end, in which its container may come free",
            "none is expected",
            "a NodeManager's report and an exchange with the ResourceManager, of a second each, and one more"),
    HURRIED_MILLIS(
            "hurriedMillis",
            1_000,
            "between two exchanges with the ResourceManager while a second attempt waits",
            "as stock's",
            "what NodeManagers of a small cluster take to report"),
    HURRIES(
            "hurries",
            0,
            "of these",
            "none",
            "3 s in all: what isn't granted by then waits for somebody to end"),
    LASTS_MILLIS(
            "lastsMillis",
            0,
            "for which an order of hosts is good",
            "it is made anew each time",
            "a third of the interval between two reports, 6 s as preset"),
    PROMPT_MILLIS(
            "promptMillis",
            0,
            "for which any answer may take",
            "none",
            "5 times the slowest on busy processors, 93 ms"),
    OVER_ANSWER(
            "overAnswer",
            0,
            "what a clone takes over what the answer took beyond that",
            "answers say nothing",
            "measured: 23 s after an answer of 1.2 to 2.2 s"),
    PACKING(
            "packing",
            Double.POSITIVE_INFINITY,
            "times what its link gives, the rate at which an image travels",
            "links aren't sampled",
            "measured: what zstd makes of images, 3.6 to 13"),
    PRIOR_WEIGHT(
            "priorWeight",
            0,
            "samples that a configured cost counts as",
            "none",
            "three samples of four times the cost double it"),
    COST_MEMORY_MILLIS(
            "costMemoryMillis",
            Double.POSITIVE_INFINITY,
            "in which what clones have cost fades",
            "it lasts",
            "shorter than a large job's phases, longer than from one clone of a small job to the next");

    static final String PREFIX = "rule.";

    /** Stands for each of them, one at a time. */
    static final String ALL = PREFIX + "all";

    private static final List<String> RECORDS =
            List.of("speculation", "estimates", "placement", "costs");

    private final String component;
    private final double off;
    private final String what;
    private final String without;
    private final String from;

    /**
     * @param component of the records that {@link Rules} consists of
     * @param off what it is where the rule has no effect
     * @param without what is so then
     */
    Rule(String component, double off, String what, String without, String from) {
        this.component = component;
        this.off = off;
        this.what = what;
        this.without = without;
        this.from = from;
    }

    /**
     * @param key {@code rule.NAME}
     * @throws IllegalArgumentException if there is none
     */
    static Rule named(String key) {
        return Arrays.stream(values())
                .filter(rule -> rule.key().equals(key))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no '"
                                                + key
                                                + "'; there are: "
                                                + Arrays.stream(values()).map(Rule::key).toList()));
    }

    /**
     * Those that are varied one at a time.
     *
     * @param key {@link #ALL}, or {@code rule.NAME+NAME}
     * @return none if it is another key, of one rule as well
     * @throws IllegalArgumentException if one of them isn't there
     */
    static List<Rule> each(String key) {
        if (key.equals(ALL)) {
            return List.of(values());
        }
        return key.startsWith(PREFIX) && key.contains("+")
                ? Arrays.stream(key.substring(PREFIX.length()).split("\\+"))
                        .map(name -> named(PREFIX + name))
                        .toList()
                : List.of();
    }

    String key() {
        return PREFIX + component;
    }

    public String component() {
        return component;
    }

    double off() {
        return off;
    }

    /** What the number is, in words. */
    String what() {
        return what;
    }

    /** What is so where the rule is off. */
    String without() {
        return without;
    }

    /** What it is derived from. */
    String from() {
        return from;
    }

    /** As it is today. */
    public double today() {
        return of(Rules.PRESET);
    }

    double of(Rules rules) {
        return parts(rules)
                .flatMap(part -> Components.number(part, component).stream())
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Record> parts(Rules rules) {
        return Stream.of(rules.speculation(), rules.estimates(), rules.placement(), rules.costs());
    }

    /** These rules, with another number. */
    Rules change(Rules rules, DoubleUnaryOperator change) {
        List<Record> parts = parts(rules).toList();
        for (int i = 0; i < RECORDS.size(); i++) {
            Optional<Record> changed = Components.change(parts.get(i), component, change);
            if (changed.isPresent()) {
                return Components.with(rules, RECORDS.get(i), changed.get());
            }
        }
        throw new AssertionError(component);
    }
}
