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

/** What the page's numbers don't show, in words: what a reviewer would ask. */
final class Reservations {
    private Reservations() {}

    static void ofEverything(Markdown page) {
        page.paragraph(
                "All \"hosts\" are network namespaces on one virtual machine and share its processors,"
                        + " with [equal shares for containers](internals/cluster.md#processors) where"
                        + " [where and when](#where-and-when) says so, and else for hosts. What one leaves is the"
                        + " others': tasks at once are each other's stragglers, the last of a phase get"
                        + " quicker, which no speculator expects, and what a clone costs its host it costs"
                        + " the whole cluster. That is least so of `paced-` troubles, whose tasks wait"
                        + " for 40 s of their time, as for a service or a disk that is never busy, and"
                        + " take about as long beside others as alone. Times aren't a cluster's, and ratios of a few percent least of"
                        + " all. Nothing here says how a cluster of many machines behaves, and"
                        + " nothing reproduces [the paper's figures](paper-figures.md), which are of 64"
                        + " nodes.");
    }

    static void ofStragglers(Markdown page) {
        page.paragraph(
                "**What straggles here is kind to second attempts.** An injected delay is tied to one"
                        + " attempt's id. A clone has another id, and so has an attempt from zero: neither"
                        + " is held back. The delayed attempt sleeps, and its processor is others'"
                        + " meanwhile. No delay comes with the data: no run has skewed keys or splits, or a"
                        + " record that takes long, which a second attempt would meet again. The"
                        + " [simulator's catalogue](simulator.md#the-catalogue) has those, with next to no"
                        + " gain. With `log-normal` each attempt draws its own delay; on a slow host or"
                        + " behind a slow link all attempts are slow, and a second one elsewhere isn't."
                        + " A slow host slows what tasks compute, not what they wait for: in"
                        + " `paced-slow-host` a second attempt that begins as the others end is done about when the slow"
                        + " one is, so that little is to be gained, and times say most of where attempts happened"
                        + " to begin.");
        page.paragraph(
                "**Tasks of 500 MB say little of clones where they compute all the time.** With equal shares for"
                        + " hosts, as until 29 November, three maps on one host look slow beside two on"
                        + " another, and nearly every such job had clones of maps that nothing slowed. With"
                        + " equal shares for containers a task that begins when others have ended takes a"
                        + " quarter of their time, so that an attempt from zero is as good as a clone."
                        + " [Rules' evidence](internals/rules-evidence.md) has the measurements. The"
                        + " `paced-` troubles were made after that was seen.");
    }

    static void leftToTheSimulator(Markdown page) {
        page.heading("##", "Left to the simulator");
        page.paragraph(
                "Two processors can't show these. [The simulator](simulator.md) tells which rule is better,"
                        + " and no times: it is [not validated](simulator.md#validation) for these. What was"
                        + " run nevertheless is in [every round](results-history.md).");
        page.heads("", "why not here");
        page.row(
                "a host that fades during a short job",
                "it has 70 % of a core left when the job ends, and a third of six maps has no more of"
                        + " two. `long-fading-host` is longer. Simulated:"
                        + " `host-fades` in [the catalogue](simulator.md#the-catalogue)");
        page.row(
                "a slow link",
                "one host in three is a large part of this cluster: each block's replicas and each"
                        + " reduce's inputs cross its link. The simulator's time is far from the real one"
                        + " ([validation](simulator.md#validation)), so neither is to be relied on");
        page.row(
                "four jobs at once",
                "four of nine containers are AppMasters', and as many tasks as are left share two"
                        + " processors. Simulated: [a day of jobs](simulator.md#a-day-of-jobs)");
        page.row(
                "delays that each attempt draws",
                "attempts that wait leave the two processors to others, which hides most of a delay; `log-normal` is run"
                        + " nevertheless. Simulated:"
                        + " [at 64 nodes](paper-figures.md)");
        page.row(
                "from when on a task is slow, and how slow",
                "twenty points with five rounds each are 17 hours, for differences that two processors"
                        + " hide. Simulated: [below](#from-when-on-and-how-much-slower-simulated)");
        page.row("jobs by the hundred", "[a day of jobs](simulator.md#a-day-of-jobs)");
        page.row("skewed keys and splits", "[the catalogue](simulator.md#the-catalogue)");
        page.line("");
    }
}
