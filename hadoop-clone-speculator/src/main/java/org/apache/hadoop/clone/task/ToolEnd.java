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
package org.apache.hadoop.clone.task;

import java.util.Set;
import org.apache.hadoop.clone.protocol.CloneAnswer;

/**
 * How the tool beside an original ended, other than well.
 *
 * @param status its exit status, as criu-remote-clone(1) has them; or another word, if it was
 *     killed
 * @param lastWord what it said at the end, of itself
 */
record ToolEnd(String status, String lastWord) {
    private static final String REFUSED = "67";
    private static final String LIMITS_USED_UP = "69";
    private static final String NO_SPACE = "73";

    /** Says nothing of clones of others, or to other hosts. */
    private static final Set<String> OF_ORIGINALS = Set.of(REFUSED, LIMITS_USED_UP, NO_SPACE);

    /** The status is the other end's then. */
    private static final String BY_PEER = "criu-remote-clone serve: peer: ";

    /**
     * Refused where the process, its files, its host or this pair of hosts are why; else failed.
     */
    CloneAnswer answer(long cloneId) {
        return OF_ORIGINALS.contains(status) && !lastWord.startsWith(BY_PEER)
                ? CloneAnswer.refused(cloneId, lastWord)
                : CloneAnswer.failed(cloneId, lastWord);
    }
}
