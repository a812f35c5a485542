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
package org.clonehadoop.benchmarks.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * A {@link Trouble}, one in other tasks, or what {@code benchmarks/whole-jobs/run} has and the
 * report doesn't know: that is to be seen, too.
 *
 * @param key as lines have it
 * @param what for people; the key if it isn't known
 * @param aim empty if nothing is known that is aimed at
 * @param place in the page's order
 */
record Experiment(String key, String what, Optional<Aim> aim, int place) {
    private static final String EVEN = "even";
    private static final String FULL = "-full";
    private static final Set<String> OTHER_TASKS =
            Set.of("lone-reduce", "two-jobs", "four-jobs", "short-maps");

    /** What the tasks are that a trouble is in, in the page's order; the key begins so. */
    private enum Tasks {
        USUAL("", ""),
        PACED("paced-", ", tasks that wait for 40 s of their time"),
        LONG("long-", ", tasks four times as long");

        private final String prefix;
        private final String tail;

        Tasks(String prefix, String tail) {
            this.prefix = prefix;
            this.tail = tail;
        }

        static Tasks of(String key) {
            return Stream.of(PACED, LONG)
                    .filter(tasks -> key.startsWith(tasks.prefix))
                    .findAny()
                    .orElse(USUAL);
        }
    }

    static Experiment of(String key) {
        int known = Trouble.values().length;
        Tasks tasks = Tasks.of(key);
        String inner = inner(key);
        int offset = tasks.ordinal() * known;
        int last = Tasks.values().length * known;
        Matcher onset = OnsetSweep.TROUBLE.matcher(inner);
        if (onset.matches()) {
            String what =
                    String.format(
                            "one map at 1/%s of its speed after %s %% of its records",
                            onset.group(2), onset.group(1));
            return new Experiment(
                    key, what + tasks.tail, Optional.of(Aim.ofHadoops(NeverAbove.BOUND)), last);
        }
        return Trouble.of(inner)
                .map(
                        trouble ->
                                new Experiment(
                                        key,
                                        trouble.what() + tasks.tail,
                                        Optional.of(trouble.aim()),
                                        offset + trouble.ordinal()))
                .orElseGet(() -> new Experiment(key, key, Optional.empty(), last + 1));
    }

    private static String inner(String key) {
        return key.substring(Tasks.of(key).prefix.length());
    }

    /** In the page's order. */
    static List<Experiment> inOrder(Collection<String> keys) {
        return keys.stream()
                .map(Experiment::of)
                .sorted(Comparator.comparingInt(Experiment::place).thenComparing(Experiment::key))
                .toList();
    }

    /** Those that tables have rows of, in the page's order: not the sweep's. */
    static List<Experiment> ofRows(Collection<String> keys) {
        return inOrder(keys).stream().filter(experiment -> !experiment.isOfSweep()).toList();
    }

    boolean isKnown() {
        return aim.isPresent();
    }

    /** Whether nothing straggles. */
    boolean isEven() {
        return evenOf(key).filter(key::equals).isPresent();
    }

    /**
     * What has the same tasks, is as full, and has no trouble; empty if nothing that is run has:
     * one job's even time says nothing of another's.
     */
    static Optional<String> evenOf(String key) {
        return OTHER_TASKS.contains(inner(key))
                ? Optional.empty()
                : Optional.of(Tasks.of(key).prefix + EVEN + (key.endsWith(FULL) ? FULL : ""));
    }

    /** The task that is made late, as lines name it; empty if that is left to chance. */
    Optional<String> lateTask() {
        return isOfSweep()
                ? Optional.of("m_000001")
                : Trouble.of(inner(key)).flatMap(Trouble::lateTask);
    }

    /** Whether delays are drawn. */
    boolean isDrawn() {
        return inner(key).startsWith(Trouble.LOG_NORMAL.key());
    }

    /** Whether its delays are those of the paper's figures, as they are simulated. */
    boolean isOfPapers() {
        return key.startsWith("log-normal-");
    }

    /** Whether it has a place in an {@link OnsetSweep}, and so none in tables of troubles. */
    boolean isOfSweep() {
        return OnsetSweep.TROUBLE.matcher(key).matches();
    }
}
