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

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** Clones that have no container yet, as it is asked where their attempts may run. */
interface AwaitedClones {
    /** No attempt is cloned. */
    AwaitedClones NONE =
            new AwaitedClones() {
                @Override
                public boolean isBeingCloned(TaskAttemptId original) {
                    return false;
                }

                @Override
                public boolean helpsFromZero(TaskAttemptId original) {
                    return true;
                }
            };

    /** Whether a clone of the attempt waits for its container. */
    boolean isBeingCloned(TaskAttemptId original);

    /** Whether an attempt that begins at zero now would end before it, too. */
    boolean helpsFromZero(TaskAttemptId original);
}
