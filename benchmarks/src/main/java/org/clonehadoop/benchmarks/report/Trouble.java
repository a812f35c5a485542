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

import java.util.Optional;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.report.Aim.Base;

/**
 * What {@code benchmarks/whole-jobs/run} makes straggle, in the page's order, and what is aimed at.
 */
enum Trouble {
    EVEN("even", "nothing straggles", Aim.ofHadoops(1.01)),
    EVEN_FULL(
            "even-full",
            "nothing straggles, 8 maps and 8 reduces on 9 containers",
            Aim.ofHadoops(NeverAbove.BOUND)),
    LATE_MAP(
            "late-map",
            "one map at 1/300 of its speed after 90 % of its records",
            Aim.ofHadoops(0.70),
            "m_000001"),
    LATE_REDUCE(
            "late-reduce",
            "one reduce at 1/100 of its speed from the middle on",
            Aim.ofHadoops(0.55),
            "r_000001"),
    LONE_REDUCE(
            "lone-reduce",
            "the only reduce at 1/10 of its speed from the middle on",
            Aim.ofHadoops(NeverAbove.BOUND),
            "r_000000"),
    LOG_NORMAL(
            "log-normal",
            "each attempt delayed: log-normal, median 0.1, shape 2",
            Aim.ofHadoops(0.80)),
    LOG_NORMAL_1("log-normal-1", Trouble.delays(1), Aim.ofHadoops(NeverAbove.BOUND)),
    LOG_NORMAL_2("log-normal-2", Trouble.delays(2), Aim.ofHadoops(0.80)),
    LOG_NORMAL_10("log-normal-10", Trouble.delays(10), Aim.ofHadoops(NeverAbove.BOUND)),
    SLOW_HOST("slow-host", "one of three hosts has 25 % of a core", new Aim(1.35, Base.EVEN)),
    SLOW_HOST_FULL(
            "slow-host-full",
            "one of three hosts has 25 % of a core, 8 maps and 8 reduces on 9 containers",
            new Aim(1.35, Base.EVEN)),
    SLOW_LINK("slow-link", "one host's link carries 20 Mbit/s", Aim.ofHadoops(NeverAbove.BOUND)),
    FADING_HOST(
            "fading-host",
            "one host loses 10 % of a core every 10 s",
            Aim.ofHadoops(NeverAbove.BOUND)),
    TWO_JOBS(
            "two-jobs",
            "two jobs at once, each with a late map: their mean",
            Aim.ofHadoops(NeverAbove.BOUND),
            "m_000001"),
    FOUR_JOBS(
            "four-jobs",
            "four jobs at once, each with a late map: their mean",
            Aim.ofHadoops(NeverAbove.BOUND),
            "m_000001"),
    SHORT_MAPS(
            "short-maps",
            "200 maps on 9 containers, one at 1/300 of its speed from the middle on",
            Aim.ofHadoops(NeverAbove.BOUND),
            "m_000100");

    private final String key;
    private final String what;
    private final Aim aim;
    private final String lateTask;

    Trouble(String key, String what, Aim aim) {
        this(key, what, aim, null);
    }

    Trouble(String key, String what, Aim aim, String lateTask) {
        this.key = key;
        this.what = what;
        this.aim = aim;
        this.lateTask = lateTask;
    }

    private static String delays(int shape) {
        return "each attempt delayed: log-normal, median 0.1, shape "
                + shape
                + ", up to five times its time";
    }

    static Optional<Trouble> of(String key) {
        return Stream.of(values()).filter(trouble -> trouble.key.equals(key)).findFirst();
    }

    /** As {@code benchmarks/whole-jobs/run} calls it. */
    String key() {
        return key;
    }

    /** For people. */
    String what() {
        return what;
    }

    Aim aim() {
        return aim;
    }

    /** The task that is made late, as lines name it; empty if that is left to chance. */
    Optional<String> lateTask() {
        return Optional.ofNullable(lateTask);
    }
}
