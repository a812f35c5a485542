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

import java.util.List;

/**
 * How long an attempt still needs that may be slow just now. What it did in the last third of its
 * time it may go on doing. Or it is in a slow spell, and nobody knows how long that will last: as a
 * rule about as long again as it has lasted (Gott's rule), so that as much time will be lost again.
 * To act once as much was lost as acting costs loses, at worst, twice what the best decision would
 * have (the ski rental problem).
 */
final class SlowSpell {
    /**
     * @param remaining milliseconds from now; infinite if it stands still and always did
     * @param paceBefore work per millisecond before the spell, or now if there is none
     * @param own whether it was faster once
     */
    record Outlook(double remaining, double paceBefore, boolean own) {}

    /** Work that was done by then: in milliseconds that it usually takes, or in any other unit. */
    record Point(double work, double at) {}

    private final List<Point> points;
    private final double left;
    private final double usualPace;
    private final double shortest;
    private final EstimateRules rules;
    private final Point begin;
    private final Point now;

    /**
     * @param points in their order; the last is where it is, as far as is known
     * @param left work to do
     * @param usualPace work per millisecond; NaN if that isn't known, then only its own counts
     * @param shortest what is heard in less time says nothing, in milliseconds
     */
    SlowSpell(
            List<Point> points,
            double left,
            double usualPace,
            double shortest,
            EstimateRules rules) {
        this.points = points;
        this.left = left;
        this.usualPace = usualPace;
        this.shortest = shortest;
        this.rules = rules;
        begin = points.get(0);
        now = points.get(points.size() - 1);
    }

    /** The worst of what may be: a spell may have begun at any moment. */
    Outlook outlook() {
        double pace = lately(begin);
        Outlook worst = new Outlook(left <= 0 ? 0 : left / pace, pace, false);
        for (int i = 1; i < points.size() - 1; i++) {
            Point from = points.get(i);
            double lasted = now.at() - from.at();
            if (lasted < shortest || !saysEnough(from.at() - begin.at())) {
                continue;
            }
            double before = pace(begin, from);
            double remaining = remaining(before, now.work() - from.work(), lasted);
            if (remaining > worst.remaining() && lately(from) < before) {
                worst = new Outlook(remaining, before, true);
            }
        }
        return worst;
    }

    // Where nothing is known to compare with.
    private boolean saysEnough(double millis) {
        return !Double.isNaN(usualPace) || millis >= rules.reportsOfPace() * shortest;
    }

    /** As much time is lost again, but it is never slower than in the spell. */
    private double remaining(double before, double done, double lasted) {
        double again = lasted - done / before + left / before;
        return left > 0 ? Math.min(again, left * lasted / done) : again;
    }

    /** The pace in the last part of the time since then: what was long ago says little. */
    private double lately(Point from) {
        double since = now.at() - Math.max(shortest, rules.lately() * (now.at() - from.at()));
        Point middle = since <= from.at() ? from : new Point(workAt(since), since);
        return pace(middle, now);
    }

    /** What is usual counts for as long as one report may be wrong by. */
    private double pace(Point from, Point to) {
        double work = to.work() - from.work();
        double time = to.at() - from.at();
        return Double.isNaN(usualPace)
                ? work / time
                : (work + usualPace * shortest) / (time + shortest);
    }

    private double workAt(double time) {
        int after = points.size() - 1;
        while (points.get(after - 1).at() > time) {
            after--;
        }
        Point one = points.get(after - 1);
        Point other = points.get(after);
        double share = (time - one.at()) / (other.at() - one.at());
        return one.work() + share * (other.work() - one.work());
    }
}
