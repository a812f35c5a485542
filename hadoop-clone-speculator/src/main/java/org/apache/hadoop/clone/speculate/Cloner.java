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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** What an AppMaster must be able to do for its speculator to choose CLONE. */
@InterfaceAudience.Private
public interface Cloner {

    /** What operators let this job do now. */
    default Permission permission() {
        return Permission.ALL;
    }

    /** Why no task gets a second attempt any more, beside Hadoop's own caps; empty if it may. */
    default Optional<String> spent() {
        return Optional.empty();
    }

    /** Why the attempt can't be cloned, in a few words; empty if it can. */
    Optional<String> obstacle(TaskAttemptId attempt);

    /** Whether a clone of the attempt has been ordered, and isn't an attempt yet. */
    boolean isBeingCloned(TaskAttemptId attempt);

    /**
     * f_clone, in bytes: what would travel for a clone of the attempt now. Empty if the AppMaster
     * knows no more of it than its counters.
     */
    Optional<Long> cloneBytes(TaskAttemptId attempt);

    /**
     * The same of an attempt whose counters need not be read.
     *
     * @param counted what they say
     */
    default long cloneBytes(TaskAttemptId attempt, Footprint counted) {
        return cloneBytes(attempt).orElseGet(counted::cloneBytes);
    }

    /**
     * What a clone of the attempt takes at the least, whatever clones usually cost: another one on
     * its host was slow to answer. In milliseconds; 0 if nothing is known.
     */
    default double leastCloneMillis(TaskAttemptId attempt) {
        return 0;
    }

    /** What clones cost, as far as is known now. */
    CloneCosts costs();

    /** Of what the attempt is a clone; empty if it isn't one. */
    Optional<TaskAttemptId> originalOf(TaskAttemptId attempt);

    /** Orders a clone. It may still come to nothing; the original goes on in any case. */
    void clone(TaskAttemptId original, CloneScore score);

    /**
     * Whether a second attempt may end in favour of another. Only where {@link SecondAttemptKill}s
     * are looked at when they are handled: stock would kill one that has succeeded meanwhile, too.
     */
    default boolean replaces() {
        return false;
    }

    /**
     * Orders a clone in the place of the task's second attempt, which ends once it is known that
     * the original can be cloned.
     *
     * @throws UnsupportedOperationException where nothing is {@linkplain #replaces() replaced}
     */
    default void cloneInPlaceOf(TaskAttemptId second, TaskAttemptId original, CloneScore score) {
        throw new UnsupportedOperationException("nobody ends " + second);
    }
}
