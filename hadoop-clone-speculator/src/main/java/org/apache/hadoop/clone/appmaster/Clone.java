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
package org.apache.hadoop.clone.appmaster;

import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.score.CloneWorth;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;

/** One clone that has been ordered. Guarded by its coordinator. */
final class Clone {
    final long id;
    final TaskAttemptId original;
    final byte[] nonce;
    final long orderedMillis;

    /** The second attempt that is to end in favour of this one; null if there is none. */
    TaskAttemptId inPlaceOf;

    /** The same, if that is a clone: as long as it hasn't ended. */
    Clone before;

    /** Where the original runs. */
    String originalsHost;

    /** What the original had in memory when it answered, in bytes; 0 before that. */
    long memoryBytes;

    CloneWorth worth;

    /** When its task would have ended without it, by the last estimate; NaN if nobody knows. */
    double otherwiseMillis;

    CloneState state = CloneState.ASKED;

    /** In ASKED: when the original was asked last. */
    long askedMillis;

    int questions;

    /** What it takes at the least, by the quickest answer to them; infinite before the first. */
    double leastMillis = Double.POSITIVE_INFINITY;

    long stateSinceMillis;

    /** From WAITING on: the number of the task's last attempt before the one that was ordered. */
    int lastBefore;

    /** From CONTAINER on. */
    TaskAttemptId attempt;

    String containerId;
    String host;
    ContainerRemoteLaunchEvent heldLaunch;
    long launchedMillis;
    long runningMillis;

    /** From OFFERED on. */
    String address;

    SourcePaths source;

    /** Of the link that it travels over; 0 as long as that isn't known. */
    long linkBytesPerMilli;

    /** Once the original has told. */
    CloneAnswer sent;

    Clone(long id, TaskAttemptId original, byte[] nonce, CloneWorth worth, long nowMillis) {
        this.id = id;
        this.original = original;
        this.nonce = nonce.clone();
        this.worth = worth;
        orderedMillis = nowMillis;
        stateSinceMillis = nowMillis;
    }

    /** Whether the original hasn't been asked yet. */
    boolean isToBeAsked() {
        return state == CloneState.ASKED && questions == 0;
    }

    /** Whether an answer of the original's is being awaited. */
    boolean isBeingAsked() {
        return state == CloneState.ASKED && questions > 0;
    }

    /** Whether it has answered one, if it is being asked another. */
    boolean hasAnswered() {
        return Double.isFinite(leastMillis);
    }

    /** Whether that attempt is, or is to be, this clone. */
    boolean isItsAttempt(TaskAttemptId other) {
        return attempt == null
                ? state == CloneState.WAITING && other.getId() > lastBefore
                : other.equals(attempt);
    }

    /** Whether the attempt's process is, or may become, this clone, or the one before. */
    boolean isProcessOf(TaskAttemptId other) {
        return other.equals(attempt) && state.isCloneProcess()
                || before != null && before.isProcessOf(other);
    }

    @Override
    public String toString() {
        return "clone " + id + " of " + original + (attempt == null ? "" : " as " + attempt);
    }
}
