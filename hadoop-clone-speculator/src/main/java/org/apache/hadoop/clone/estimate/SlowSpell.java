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
package org.apache.hadoop.clone.estimate;

/**
 * How long an attempt still needs that may be slow just now. What it did in the last third of its
 * time it may go on doing. Or it is in a slow spell, and nobody knows how long that will last: as a
 * rule about as long again as it has lasted (Gott's rule), so that as much time will be lost again.
 * To act once as much was lost as acting costs loses, at worst, twice what the best decision would
 * have (the ski rental problem).
 */
final class SlowSpell {
    /**
     * @param remaining milliseconds from now
     * @param paceBefore work per millisecond before the spell, or now if there is none
     * @param own whether it was faster once
     */
    record Outlook(double remaining, double paceBefore, boolean own) {}

    private final WorkCurve curve;
    private final double left;
    private final double usualPace;
    private final double shortest;
    private final EstimateRules rules;
    private final int began;
    private final int now;

    /**
     * @param curve what it has done since its work began
     * @param left work to do
     * @param usualPace work per millisecond: of others, or the best of its own
     * @param shortest what is heard in less time says nothing, in milliseconds
     */
    SlowSpell(
            WorkCurve curve, double left, double usualPace, double shortest, EstimateRules rules) {
        this(curve, 0, left, usualPace, shortest, rules);
    }

    /** The same of one that started late, as the curve's first point tells. */
    static SlowSpell sinceLaunch(
            WorkCurve curve, double left, double usualPace, double shortest, EstimateRules rules) {
        return new SlowSpell(curve, 1, left, usualPace, shortest, rules);
    }

    private SlowSpell(
            WorkCurve curve,
            int began,
            double left,
            double usualPace,
            double shortest,
            EstimateRules rules) {
        this.curve = curve;
        this.began = began;
        this.left = left;
        this.usualPace = usualPace;
        this.shortest = shortest;
        this.rules = rules;
        now = curve.last();
    }

    /** The worst of what may be: a spell may have begun at any moment. */
    Outlook outlook() {
        double worstBefore = lately(began);
        double worst = left <= 0 ? 0 : left / worstBefore;
        boolean own = false;
        // Its start isn't the task's fault, and no pace that its work would go on at: a host may
        // have had to fetch the job's files first.
        double sinceLaunch = began > 0 ? remaining(usualPace, done(0), lasted(0)) : 0;
        if (sinceLaunch > worst && lately(0) < usualPace) {
            worst = sinceLaunch;
            worstBefore = usualPace;
            own = true;
        }
        for (int from = began + 1; from < now; from++) {
            double lasted = lasted(from);
            double age = curve.at(from) - curve.at(began);
            if (lasted < shortest) {
                continue;
            }
            double before = pace(curve.work(from) - curve.work(began), age);
            double remaining = remaining(before, done(from), lasted);
            if (remaining > worst && lately(from) < before) {
                worst = remaining;
                worstBefore = before;
                own = true;
            }
        }
        return new Outlook(worst, worstBefore, own);
    }

    /**
     * What {@link Outlook#remaining} is at most, over the work to do, where the usual pace is 1: it
     * is never slower than since the worst moment. Where all work counts for 1/q of what it does, q
     * &ge; 1, this is at most q times as much.
     */
    double slownessAtMost() {
        double worst = 1 / lately(0);
        for (int from = 1; from < now && lasted(from) >= shortest; from++) {
            double done = done(from);
            worst = done > 0 ? Math.max(worst, lasted(from) / done) : Double.POSITIVE_INFINITY;
        }
        return worst;
    }

    private double lasted(int from) {
        return curve.at(now) - curve.at(from);
    }

    private double done(int from) {
        return curve.work(now) - curve.work(from);
    }

    /** As much time is lost again, but it is never slower than in the spell. */
    private double remaining(double before, double done, double lasted) {
        double again = lasted - done / before + left / before;
        return left > 0 ? Math.min(again, left * lasted / done) : again;
    }

    /** The pace in the last part of the time since then: what was long ago says little. */
    private double lately(int from) {
        double since =
                curve.at(now)
                        - Math.max(shortest, rules.lately() * (curve.at(now) - curve.at(from)));
        return since <= curve.at(from)
                ? pace(done(from), lasted(from))
                : pace(curve.work(now) - curve.workAt(since), curve.at(now) - since);
    }

    /** What is usual counts for as long as one report may be wrong by. */
    private double pace(double work, double time) {
        return (work + usualPace * shortest) / (time + shortest);
    }
}
