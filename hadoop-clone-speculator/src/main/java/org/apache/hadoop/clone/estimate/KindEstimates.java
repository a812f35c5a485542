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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The times of a job's attempts of one kind, maps or reduces: told what is heard of them, asked how
 * long one still needs and what another would take. Times are in milliseconds, of any one clock.
 * Thread-safe; calls nobody.
 */
@InterfaceAudience.Private
public final class KindEstimates {
    private record Attempt(Object id, String host, Course course, boolean isClone) {}

    private final long interval;
    private final double unseen;
    private final double tolerance;
    private final EstimateRules rules;
    private final Map<Object, Attempt> running = new HashMap<>();
    private final Profile profile;
    private final StartTimes starts = new StartTimes();

    private record Ended(Course course, double took) {}

    private final Deque<Ended> ended = new ArrayDeque<>();

    private double sizes;
    private int sized;
    private final WorkCurve curve = new WorkCurve();

    /** Found out once for each moment, as the next one is. */
    private Spread spread;

    private final Map<Profile.Usual, FrontLosses> losses = new IdentityHashMap<>();
    private long asOf = Long.MIN_VALUE;

    /**
     * @param interval between two reports of an attempt
     * @param beta how far off an estimate may be of which nothing is known, at least 1
     * @param tolerance of so many standard deviations an attempt may be slower than others because
     *     of its task
     */
    public KindEstimates(long interval, double beta, double tolerance, EstimateRules rules) {
        this.interval = interval;
        this.unseen = Math.log(beta);
        this.tolerance = tolerance;
        this.rules = rules;
        profile = new Profile(this::size, rules);
    }

    // --- what is heard ---

    /** It begins at zero. */
    public synchronized void launched(Object id, String host, long now) {
        withdraw(running.put(id, new Attempt(id, host, new Course(now, rules), false)));
        starts.launched(host, now);
    }

    /** A clone goes on where its original is. */
    public synchronized void launchedAsClone(Object id, Object original, String host, long now) {
        Course course = new Course(now, rules);
        Attempt from = running.get(original);
        if (from != null) {
            course.inherit(from.course);
        }
        withdraw(running.put(id, new Attempt(id, host, course, true)));
    }

    /**
     * It was to be a clone and has begun at zero after all; when, only its first report shows.
     *
     * @param launched when its container was
     */
    public synchronized void fellBack(Object id, String host, long launched, long now) {
        double start = starts.usual(host, now);
        launched(
                id,
                host,
                Double.isNaN(start) ? launched : Math.max(launched, now - Math.round(start)));
    }

    /** How far an attempt says it is. */
    public record Report(double progress, Object phase, double inputBytes, double inputShare) {
        /**
         * @param progress from 0 to 1
         * @param phase anything that tells one phase from another
         * @param inputBytes what it has read by now; 0 if that isn't known
         * @param inputShare of all its input, from 0 to 1
         */
        public Report {}
    }

    /** How far it is now, and on what. */
    public synchronized void reported(Object id, Report report, Supply supply, long now) {
        Attempt attempt = running.get(id);
        if (attempt == null) {
            return;
        }
        Course course = attempt.course;
        boolean isFirst = !course.hasStarted();
        boolean moved = course.reported(report.progress(), report.phase(), now, interval);
        if (isFirst && !attempt.isClone) {
            starts.started(attempt.host, course.launched(), now);
        }
        if (report.inputBytes() > 0 && report.inputShare() >= rules.sizeShows()) {
            learnSize(course, report.inputBytes() / report.inputShare());
        }
        course.fetches(supply == Supply.FETCHED);
        if (supply == Supply.AWAITED) {
            course.waited();
        } else if (moved && !attempt.isClone) {
            learn(attempt);
        }
    }

    private void learnSize(Course course, double size) {
        if (Double.isNaN(course.size())) {
            sized++;
        } else {
            sizes -= course.size();
        }
        sizes += size;
        course.size(size);
    }

    private void learn(Attempt attempt) {
        attempt.course
                .firstStep()
                .ifPresent(step -> profile.firstStep(attempt.course, attempt.host, step));
        attempt.course.passed(
                (part, millis, step) ->
                        profile.passed(attempt.course, attempt.host, part, millis, step));
    }

    /**
     * It could make no progress until now, and would have taken so long for what it has done.
     *
     * @param worked milliseconds
     */
    public synchronized void released(Object id, double worked, long now) {
        Attempt attempt = running.get(id);
        if (attempt == null || !attempt.course.hasStarted()) {
            return;
        }
        Course course = attempt.course;
        course.released(worked, now);
        int parts = (int) (course.last().progress() * rules.parts());
        for (int part = 0; part < parts; part++) {
            profile.passed(course, attempt.host, part, worked / parts, interval);
        }
    }

    /**
     * @param succeeded perhaps before it has reported anything
     */
    public synchronized void ended(Object id, boolean succeeded, long now) {
        Attempt attempt = running.get(id);
        if (attempt == null) {
            return;
        }
        if (succeeded && !attempt.isClone) {
            reported(id, new Report(1, "ended", 0, 0), Supply.AT_HAND, now);
            ended.add(new Ended(attempt.course, now - attempt.course.began()));
            if (ended.size() > rules.ended()) {
                ended.remove();
            }
        }
        running.remove(id);
        withdraw(attempt);
    }

    private void withdraw(Attempt attempt) {
        if (attempt != null && !attempt.isClone && !attempt.course.hasStarted()) {
            starts.withdrawn(attempt.host, attempt.course.launched());
        }
    }

    // --- what follows ---

    /** How much larger its input is than the mean; 1 if that isn't known. */
    private double size(Course course) {
        return Double.isNaN(course.size()) || sizes <= 0
                ? 1
                : Math.max(rules.sizeShows(), course.size() * sized / sizes);
    }

    /**
     * How long containers take until their attempts work, elsewhere if that is known.
     *
     * @return NaN as long as none has started
     */
    public synchronized double startMillis(String host, long now) {
        return starts.usual(host, now);
    }

    /** Empty as long as nothing can be said. */
    public synchronized Optional<Estimate> estimate(Object id, long now) {
        Attempt attempt = running.get(id);
        if (attempt == null) {
            return Optional.empty();
        }
        Profile.Usual usual = profile.usual(attempt.course, attempt.host, now);
        Optional<Estimate> own = own(attempt, usual, now);
        return usual == null ? own : own.map(one -> asOthersWait(one, attempt, usual, now));
    }

    private Optional<Estimate> own(Attempt attempt, Profile.Usual usual, long now) {
        Course course = attempt.course;
        double start = start(attempt, now);
        if (!course.hasStarted()) {
            return attempt.isClone || usual == null || Double.isNaN(start)
                    ? Optional.empty()
                    : starting(course, start, usual.total(), now);
        }
        return usual == null || !usual.knows(course.last().progress())
                ? alone(course, start, now)
                : amongOthers(course, start, usual, now);
    }

    private Estimate asOthersWait(Estimate own, Attempt attempt, Profile.Usual usual, long now) {
        FrontLosses lost = losses(usual, attempt, now);
        double inAll = lost.inAll();
        if (!attempt.course.hasStarted()) {
            return own.later(inAll, inAll, inAll);
        }
        double progress = attempt.course.last().progress();
        double ahead = lost.after(progress);
        return own.later(ahead, inAll, ahead + lost.at(progress));
    }

    private double start(Attempt attempt, long now) {
        Course course = attempt.course;
        double start = starts.usual(attempt.host, now);
        return Double.isNaN(start) && course.hasStarted()
                ? course.began() - course.launched()
                : start;
    }

    // What it waits longer than others is a slow spell as any other.
    private Optional<Estimate> starting(Course course, double start, double work, long now) {
        double late = now - course.launched() - start;
        return late <= 0
                ? Optional.empty()
                : Optional.of(new Estimate(late + work, start + work, start + work));
    }

    private Optional<Estimate> amongOthers(
            Course course, double start, Profile.Usual usual, long now) {
        Going going = going(course, start, usual, now);
        Spread all = spread(now);
        double others = Math.max(0, all.weight() - 1 + going.left / going.work);
        double tolerated = tolerated(Spread.ofAnother(all.deviation(), others, unseen));
        double factor = Math.min(Math.max(1, going.slowness), tolerated);
        return Optional.of(
                new Estimate(
                        going.remaining,
                        (start + going.work) * factor,
                        going.left * factor,
                        going.left > 0 && !going.late && profile.isOfAll(usual)
                                ? slack(course, going.spell.slownessAtMost())
                                : Slack.NONE));
    }

    /**
     * How an attempt goes.
     *
     * @param work all of it, in milliseconds as they usually are
     * @param left of that
     * @param remaining milliseconds as they are
     * @param slowness of its own: so many times as long as usual
     * @param late whether its work began late
     * @param spell until another one's is found out
     */
    private record Going(
            double work,
            double left,
            double remaining,
            double slowness,
            boolean late,
            SlowSpell spell) {
        /** What it will be late by more than it is. */
        double loss() {
            return remaining - left;
        }
    }

    private Going going(Course course, double start, Profile.Usual usual, long now) {
        double size = size(course);
        double work = size * usual.total();
        double done = size * usual.at(course.last().progress());
        curve.clear();
        boolean late = course.startedLate(start);
        if (late) {
            course.addStart(start, curve);
        }
        for (Course.Mark mark : course.ownMarks()) {
            curve.add(size * usual.at(mark.progress()), mark.at());
        }
        double beganWith = curve.work(0);
        double began = curve.at(0);
        double step = size * usual.step(course.last().progress());
        long known = extend(course, now, Math.max(interval, Math.round(step)));
        SlowSpell spell =
                late
                        ? SlowSpell.sinceLaunch(curve, work - done, 1, interval, rules)
                        : new SlowSpell(curve, work - done, 1, interval, rules);
        SlowSpell.Outlook outlook = spell.outlook();
        // A task may need more than others, but not more than it once seemed to.
        double slowness =
                outlook.own()
                        ? 1 / outlook.paceBefore()
                        : (known - began + outlook.remaining()) / (work - beganWith);
        return new Going(work, work - done, outlook.remaining(), slowness, late, spell);
    }

    /** What was found out at another moment doesn't count any more. */
    private void forgetUnlessOf(long now) {
        if (asOf != now) {
            asOf = now;
            spread = null;
            losses.clear();
        }
    }

    private FrontLosses losses(Profile.Usual usual, Attempt attempt, long now) {
        forgetUnlessOf(now);
        return losses.computeIfAbsent(usual, others -> newLosses(others, attempt, now));
    }

    // By those that what is usual is of.
    private FrontLosses newLosses(Profile.Usual usual, Attempt attempt, long now) {
        List<Attempt> elsewhere =
                compared(one -> profile.isOfAll(usual) || !one.host.equals(attempt.host));
        List<Attempt> others = elsewhere.isEmpty() ? compared(one -> one != attempt) : elsewhere;
        return new FrontLosses(
                others.stream().map(one -> loss(one, usual, now)).toList(), rules.parts());
    }

    private List<Attempt> compared(Predicate<Attempt> which) {
        return running.values().stream()
                .filter(one -> !one.isClone && one.course.hasStarted())
                .filter(which)
                .limit(rules.compared())
                .toList();
    }

    private FrontLosses.Loss loss(Attempt attempt, Profile.Usual usual, long now) {
        Course course = attempt.course;
        double progress = course.last().progress();
        boolean waits = course.isFetching() && usual.isNew(progress);
        return new FrontLosses.Loss(
                progress, waits ? going(course, start(attempt, now), usual, now).loss() : 0);
    }

    // The factor above is at least 1 then.
    private Slack slack(Course course, double slowness) {
        return tolerance >= 0
                ? new Slack(slowness, course.knownNoLaterUntil(interval), drift())
                : Slack.NONE;
    }

    /** How far what is usual has drifted by now: {@link Slack#covers}. */
    public synchronized Drift drift(long now) {
        if (profile.hasNotableHost() || profile.usual(null, "", now) == null) {
            return Drift.UNKNOWN;
        }
        return drift();
    }

    private Drift drift() {
        return new Drift(profile.shrunk(), sizes > 0 ? Math.log(sizes / sized) : 0);
    }

    // Nobody else has come so far: all that is known is how it went itself.
    private Optional<Estimate> alone(Course course, double start, long now) {
        List<Course.Mark> marks = course.phaseMarks();
        Course.Mark first = marks.get(0);
        double done = course.last().progress() - first.progress();
        double left = 1 - course.last().progress();
        OptionalDouble best = bestPace(marks);
        if (best.isEmpty()) {
            return Optional.empty();
        }
        double pace = best.getAsDouble();
        curve.clear();
        course.ownPhaseMarks().forEach(mark -> curve.add(mark.progress(), mark.at()));
        extend(course, now, interval);
        double remaining = new SlowSpell(curve, left, pace, interval, rules).outlook().remaining();
        double before = first.at() - course.began();
        double tolerated = tolerated(Spread.ofAnother(0, done, unseen));
        return Optional.of(
                new Estimate(
                        remaining,
                        (start + before + (1 - first.progress()) / pace) * tolerated,
                        left / pace * tolerated));
    }

    /** The best that it has kept up from the phase's beginning on; one report says too little. */
    private OptionalDouble bestPace(List<Course.Mark> marks) {
        Course.Mark first = marks.get(0);
        return marks.stream()
                .filter(mark -> mark.at() - first.at() >= rules.reportsOfPace() * interval)
                .mapToDouble(
                        mark -> (mark.progress() - first.progress()) / (mark.at() - first.at()))
                .max();
    }

    private double tolerated(double deviation) {
        return Math.exp(tolerance * deviation);
    }

    private long extend(Course course, long now, long step) {
        int last = curve.last();
        long known = course.known(now, step);
        if (known > curve.at(last)) {
            curve.add(curve.work(last), known);
        }
        return known;
    }

    private Spread spread(long now) {
        forgetUnlessOf(now);
        if (spread == null) {
            spread = newSpread(profile.usual(null, "", now), now);
        }
        return spread;
    }

    private Spread newSpread(Profile.Usual usual, long now) {
        Spread.Builder all = new Spread.Builder();
        if (usual != null) {
            ended.forEach(one -> all.add(one.took / (usual.total() * size(one.course)), 1));
            running.values().stream()
                    .map(Attempt::course)
                    .filter(Course::hasStarted)
                    .limit(rules.compared())
                    .forEach(
                            course -> {
                                Course.Mark begin = course.ownMarks().get(0);
                                double done =
                                        usual.at(course.last().progress())
                                                - usual.at(begin.progress());
                                double took = course.known(now, interval) - begin.at();
                                all.add(took / (done * size(course)), done / usual.total());
                            });
        }
        return all.build();
    }
}
