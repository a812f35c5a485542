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
package org.clonehadoop.simulator.mapreduce;

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.clonehadoop.benchmarks.feed.MirrorAttempt;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/** An attempt: what its AppMaster knows of it, and what it really does. */
final class SimAttempt {
    final TaskAttemptId id;
    final String name;

    /** What is known. */
    final MirrorAttempt known;

    /** From when it has a container on. */
    SimHost host;

    long heldSinceMillis;

    /** When it last showed that it gets on. */
    long movedMillis;

    /** From when it works on. */
    Execution work;

    Timeline.Alarm nextReport;
    boolean clone;

    /** Whether its requests go before those of reduces. */
    boolean urgent;

    /** Of a clone that came to run. */
    SimAttempt original;

    /** Whose success ended it; null if nobody's did. */
    SimAttempt winner;

    /** Whether it was ended so that another takes its place. */
    boolean replaced;

    /** Up to when its work is in the job's output; 0: none of it is. */
    private long continuedSinceMillis;

    SimAttempt(MirrorAttempt known) {
        this.known = known;
        id = known.getID();
        name = Names.of(id);
    }

    boolean hasWon() {
        return known.getState() == TaskAttemptState.SUCCEEDED;
    }

    /** What its originals had done when it was launched, it has done. */
    void noteWhatItContinued() {
        for (SimAttempt later = this; later.original != null; later = later.original) {
            later.original.continuedSinceMillis = later.known.getLaunchTime();
        }
    }

    /** Container time that brought nothing. */
    long thrownAwayMillis() {
        return host == null || hasWon()
                ? 0
                : known.getFinishTime() - Math.max(heldSinceMillis, continuedSinceMillis);
    }

    /** Container time in all, of one that has ended. */
    long heldMillis() {
        return host == null ? 0 : known.getFinishTime() - heldSinceMillis;
    }

    /** Of two attempts of a task the second is the one that began later. */
    boolean hasLostToItsSecond() {
        return winner != null && winner.id.getId() > id.getId();
    }

    boolean hasLostToItsOriginal() {
        return winner != null && winner.id.getId() < id.getId();
    }

    boolean hasEnded() {
        return hasWon()
                || known.getState() == TaskAttemptState.KILLED
                || known.getState() == TaskAttemptState.FAILED;
    }

    void stop() {
        if (work != null) {
            work.halt();
        }
        if (nextReport != null) {
            nextReport.cancel();
        }
    }
}
