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
package org.apache.hadoop.clone.speculate;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.clone.score.RecentPace;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;

/** What one attempt has reported lately. */
final class ProgressTrack {
    /** Several reports, and longer than most spills, merges and collections of garbage take. */
    private static final long WINDOW_MILLIS = 15_000;

    /**
     * The same of an attempt that has taken longer than it should: that says already that it is
     * slow, and its last report whether it is slow now.
     */
    private static final long OVERDUE_WINDOW_MILLIS = 5_000;

    // As long as stock's speculator waits before it takes a report to be missing.
    private static final long SILENT_MILLIS = 9_000;

    private record Mark(double progress, long at) {}

    /** Where it moved, and when; the first is where it was when window or phase began. */
    private final Deque<Mark> marks = new ArrayDeque<>();

    private double lastStep = Double.NaN;
    private Phase phase;
    private boolean heard = true;

    ProgressTrack(double progress, Phase phase, long now) {
        begin(progress, phase, now);
    }

    /** What another phase's steps were says nothing of this one's. */
    private void begin(double progress, Phase phase, long now) {
        this.phase = phase;
        lastStep = Double.NaN;
        marks.clear();
        marks.add(new Mark(progress, now));
    }

    /**
     * @param phase of the task; null as long as it hasn't said
     */
    synchronized void reported(double progress, Phase phase, long now) {
        heard = true;
        if (phase != this.phase) {
            begin(progress, phase, now);
            return;
        }
        double step = progress - marks.getLast().progress();
        if (step != 0) {
            marks.addLast(new Mark(progress, now));
        }
        if (step > 0) {
            lastStep = step;
        }
        forgetBefore(now - WINDOW_MILLIS);
    }

    /** It could make no progress until now. */
    synchronized void released(long now) {
        begin(marks.getLast().progress(), phase, now);
        heard = false;
    }

    /** Whether what it has done since it was released can't have been heard yet. */
    synchronized boolean isToReport(long now) {
        return !heard && silentMillis(now) == 0;
    }

    /**
     * The step that is under way counts as done, and as large as the last one: an attempt whose
     * records take a minute each doesn't stand still between two of them.
     *
     * @param overdue whether it has taken longer than such attempts usually take
     */
    synchronized RecentPace pace(boolean overdue, long now) {
        long window = overdue ? OVERDUE_WINDOW_MILLIS : WINDOW_MILLIS;
        Mark last = marks.getLast();
        boolean silent = silentMillis(now) > 0;
        if (now - marks.getFirst().at() < window) {
            return new RecentPace(Double.NaN, silent);
        }
        double done = Math.max(0, last.progress() - progressAt(now - window)) + lastStep;
        return new RecentPace(done / Math.max(window, now - last.at()), silent);
    }

    /** For how long it hasn't moved; 0 if that says nothing yet. */
    synchronized long silentMillis(long now) {
        long still = now - marks.getLast().at();
        return still > SILENT_MILLIS ? still : 0;
    }

    /**
     * A step from before the window into it counts by the part that is in it; whole, a fall would
     * be seen a step later.
     *
     * @param time not before the first mark
     */
    private double progressAt(long time) {
        Mark before = marks.getFirst();
        for (Mark after : marks) {
            if (after.at() > time) {
                double part = (double) (time - before.at()) / (after.at() - before.at());
                return before.progress() + part * (after.progress() - before.progress());
            }
            before = after;
        }
        return before.progress();
    }

    private void forgetBefore(long start) {
        Mark first = marks.removeFirst();
        while (!marks.isEmpty() && marks.getFirst().at() <= start) {
            first = marks.removeFirst();
        }
        marks.addFirst(first);
    }
}
