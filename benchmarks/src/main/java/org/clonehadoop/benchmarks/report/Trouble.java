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

import java.util.Locale;
import java.util.Optional;

/**
 * What {@code benchmarks/whole-jobs/run} makes straggle, in the page's order, and what is aimed at.
 */
enum Trouble {
    EVEN("even", "nothing straggles", Base.HADOOP, 1.01),
    EVEN_FULL("even-full", "the same, 8 maps and 8 reduces on 9 containers", Base.HADOOP, 1.03),
    LATE_MAP(
            "late-map",
            "one map at 1/300 of its speed after 90 % of its records",
            Base.HADOOP,
            0.70),
    LATE_REDUCE(
            "late-reduce",
            "one reduce at 1/100 of its speed from the middle on",
            Base.HADOOP,
            0.55),
    LONG_EVEN("long-even", "nothing straggles in tasks four times as long", Base.HADOOP, 1.01),
    LONG_LATE_MAP("long-late-map", "one map late, tasks four times as long", Base.HADOOP, 0.70),
    LONG_LATE_REDUCE(
            "long-late-reduce", "one reduce late, tasks four times as long", Base.HADOOP, 0.55),
    LOG_NORMAL(
            "log-normal",
            "each attempt delayed: log-normal, median 0.1, shape 2",
            Base.HADOOP,
            0.80),
    SLOW_HOST("slow-host", "one of three hosts has 25 % of a core", Base.EVEN, 1.35),
    SLOW_HOST_FULL(
            "slow-host-full", "the same, 8 maps and 8 reduces on 9 containers", Base.EVEN, 1.35),
    SLOW_LINK("slow-link", "one host's link carries 20 Mbit/s", Base.HADOOP, 1.03),
    FADING_HOST("fading-host", "one host loses 10 % of a core every 10 s", Base.HADOOP, 1.03),
    TWO_JOBS("two-jobs", "two jobs at once, each with a late map: their mean", Base.HADOOP, 1.03),
    FOUR_JOBS("four-jobs", "four of them", Base.HADOOP, 1.03),
    SHORT_MAPS(
            "short-maps",
            "200 maps on 9 containers, one at 1/300 of its speed from the middle on",
            Base.HADOOP,
            1.03);

    /** What a job's time is compared with: Hadoop's with the same trouble, or with none. */
    enum Base {
        HADOOP,
        EVEN
    }

    private final String key;
    private final String what;
    private final Base base;
    private final double aim;

    Trouble(String key, String what, Base base, double aim) {
        this.key = key;
        this.what = what;
        this.base = base;
        this.aim = aim;
    }

    /** As {@code benchmarks/whole-jobs/run} calls it. */
    String key() {
        return key;
    }

    /** For people. */
    String what() {
        return what;
    }

    /**
     * Such as "≤ 0.70 of Hadoop's: reached". So it is if all of the interval is; missed if nothing
     * of it is, and else open, as it is of one run.
     */
    String aim(Optional<MeanRatio> overStock, Optional<MeanRatio> overEven) {
        Optional<MeanRatio> measured = base == Base.EVEN ? overEven : overStock;
        return String.format(
                        Locale.ROOT, "≤ %.2f of %s", aim, base == Base.EVEN ? "even" : "Hadoop's")
                + measured.map(this::said).orElse("");
    }

    private String said(MeanRatio measured) {
        if (measured.high() <= aim) {
            return ": reached";
        }
        return measured.low() > aim ? ": **missed**" : ": open";
    }
}
