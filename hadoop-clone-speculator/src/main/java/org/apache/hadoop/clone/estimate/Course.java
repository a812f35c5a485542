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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** How one attempt has come along: when it was how far. Kept coarsely where it is long ago. */
final class Course {
    private static final double EPSILON = 1e-6;

    /**
     * @param progress from 0 to 1
     * @param at milliseconds
     */
    record Mark(double progress, long at) {}

    /** Is told how long a part of the progress took, in milliseconds. */
    interface Passed {
        /**
         * @param stepMillis between the two reports of which the later tells of it
         */
        void passed(int part, double millis, double stepMillis);
    }

    private final long launched;
    private final EstimateRules rules;

    /** The first is its beginning. */
    private final List<Mark> marks = new ArrayList<>();

    /** Where its phase began. */
    private int phaseBegan;

    private Object phase;

    /** Where its own begin: of a clone, after those of its original. */
    private int own;

    /** When it passed the last part's end; NaN if that isn't known. */
    private double partBegan = Double.NaN;

    private double size = Double.NaN;

    private boolean fetching;

    /** From its launch until its work began, in milliseconds; NaN until it has waited since. */
    private double startBefore = Double.NaN;

    /** Of its start, what may have to be expected again: from 0 to 1. */
    private double startShare = 1;

    /**
     * @param launched when its container was, in milliseconds
     * @param rules how many marks are kept, of which those of long ago are coarser, and how many
     *     parts its progress has
     */
    Course(long launched, EstimateRules rules) {
        this.launched = launched;
        this.rules = rules;
    }

    /**
     * @param interval between two reports: it can't have begun to work longer before its first one,
     *     and hasn't at all if that tells of none
     * @return whether it has moved
     */
    boolean reported(double progress, Object phase, long now, long interval) {
        if (!hasStarted()) {
            if (own > 0) {
                // What of it its original did isn't known.
                phaseBegan = phase != this.phase ? own : phaseBegan;
                this.phase = phase;
                marks.add(new Mark(progress, now));
                return false;
            }
            marks.add(new Mark(0, Math.max(launched, progress > 0 ? now - interval : now)));
            partBegan = began();
        }
        boolean another = phase != this.phase;
        this.phase = phase;
        if (progress <= last().progress()) {
            phaseBegan = another ? marks.size() - 1 : phaseBegan;
            return false;
        }
        if (now <= last().at()) {
            // Twice in a millisecond: what the step before took isn't known either.
            marks.set(marks.size() - 1, new Mark(progress, last().at()));
            phaseBegan = another ? marks.size() - 1 : phaseBegan;
            partBegan = Double.NaN;
            return false;
        }
        // The step into a phase is partly one of those before.
        phaseBegan = another ? marks.size() : phaseBegan;
        marks.add(new Mark(progress, now));
        thinOut();
        return true;
    }

    // Every other of the older half: what happened lately is looked at closely, and how long an
    // attempt has been slow needn't be known more exactly than to a part of it.
    private void thinOut() {
        if (marks.size() <= rules.marks()) {
            return;
        }
        for (int i = rules.marks() / 2; i > 0; i -= 2) {
            if (i != phaseBegan && i != own) {
                marks.remove(i);
                phaseBegan -= i < phaseBegan ? 1 : 0;
                own -= i < own ? 1 : 0;
            }
        }
    }

    /** Tells of the parts that it passed by its last step, evenly as far as is known. */
    void passed(Passed listener) {
        Mark from = marks.get(marks.size() - 2);
        Mark to = last();
        int part = (int) (from.progress() * rules.parts() + EPSILON);
        for (; part + 1 <= to.progress() * rules.parts() + EPSILON; part++) {
            double share =
                    ((part + 1.0) / rules.parts() - from.progress())
                            / (to.progress() - from.progress());
            double end = from.at() + share * (to.at() - from.at());
            if (!Double.isNaN(partBegan)) {
                listener.passed(part, end - partBegan, to.at() - from.at());
            }
            partBegan = end;
        }
    }

    /**
     * From its beginning until it told of progress, in milliseconds; empty if its last report
     * wasn't the first that did.
     */
    OptionalDouble firstStep() {
        return marks.size() == 2 && own == 0
                ? OptionalDouble.of(last().at() - began())
                : OptionalDouble.empty();
    }

    /** It has waited for others: what this part takes says nothing. */
    void waited() {
        partBegan = Double.NaN;
    }

    /** It goes on where another was, whose age it has. */
    void inherit(Course original) {
        marks.addAll(original.marks);
        phase = original.phase;
        phaseBegan = original.phaseBegan;
        size = original.size;
        own = marks.size();
        startShare = 0;
    }

    /**
     * It could make no progress until now; what it has done is worth so much time. A start that was
     * slow is a spell that lasts about as long again as it has lasted (Gott's rule), less what has
     * passed since.
     *
     * @param worked milliseconds
     */
    void released(double worked, long now) {
        double progress = last().progress();
        double start = began() - launched;
        double waited = now - began();
        boolean mayGoOn = Double.isNaN(startBefore) && start > waited;
        startShare = mayGoOn ? startShare * (1 - waited / start) : 0;
        startBefore = start;
        marks.clear();
        marks.add(new Mark(0, now - Math.max(1, Math.round(worked))));
        if (progress > 0) {
            marks.add(new Mark(progress, now));
        }
        phaseBegan = marks.size() - 1;
        own = 0;
        double parts = progress * rules.parts();
        partBegan = parts > 0 ? now - worked * (parts % 1) / parts : now;
    }

    /** Whether its process has been heard of. */
    boolean hasStarted() {
        return marks.size() > own;
    }

    Mark last() {
        return marks.get(marks.size() - 1);
    }

    /** What it did itself: of a clone, since it was made. */
    List<Mark> ownMarks() {
        return marks.subList(own, marks.size());
    }

    /** Those of the phase that it is in. */
    List<Mark> phaseMarks() {
        return marks.subList(phaseBegan, marks.size());
    }

    /** Of these what it did itself. */
    List<Mark> ownPhaseMarks() {
        return marks.subList(Math.max(own, phaseBegan), marks.size());
    }

    long launched() {
        return launched;
    }

    /**
     * Whether its work began later after its launch than that, and may go on as slowly. Never of a
     * clone.
     *
     * @param usual milliseconds
     */
    boolean startedLate(double usual) {
        return startShare > 0 && startMillis() > usual;
    }

    /**
     * Its start, as far as that may have to be expected again: before what it did itself.
     *
     * @param usual milliseconds that it would have taken
     */
    void addStart(double usual, WorkCurve curve) {
        curve.add(-startShare * usual, began() - startShare * startMillis());
    }

    private double startMillis() {
        return Double.isNaN(startBefore) ? began() - launched : startBefore;
    }

    /** When its process had started, and work began; of a clone, when its original's did. */
    long began() {
        return marks.get(0).at();
    }

    /** The task's input in bytes, as far as it shows; NaN as long as it doesn't. */
    double size() {
        return size;
    }

    void size(double bytes) {
        size = bytes;
    }

    /** Whether it gets what others have made ({@link Supply#FETCHED}). */
    boolean isFetching() {
        return fetching;
    }

    void fetches(boolean now) {
        fetching = now;
    }

    /**
     * Until when its progress is known: what it has done since its last report can't have been
     * heard, nor the step that is under way, if it moves in steps.
     *
     * @param usualStep of others from here on, in milliseconds; no less than a report's interval
     */
    long known(long now, long usualStep) {
        return Math.max(last().at(), now - unheard(usualStep));
    }

    /** As long as nothing can have been heard, that is until its last step, if it isn't heard. */
    long knownNoLaterUntil(long interval) {
        return last().at() + unheard(interval);
    }

    private long unheard(long usualStep) {
        int last = marks.size() - 1;
        long step = last == 0 ? 0 : last().at() - marks.get(last - 1).at();
        return Math.max(usualStep, step);
    }
}
