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

import org.apache.hadoop.classification.InterfaceAudience;

/** Why a decision is what it is. */
@InterfaceAudience.Private
public enum Reason {
    /** It is about to start, or nobody has come far enough to compare it with. */
    TOO_NEW,
    /** Not even a clone that cost nothing would save enough. */
    ON_SCHEDULE,
    /** Its task has another attempt already. */
    ALREADY_SPECULATING,
    /** It has done its work and commits it: too late for any other attempt. */
    COMMITTING,
    /** It is a reduce that still fetches, while maps run, or run again. */
    WAITS_FOR_MAPS,
    /** A second attempt wouldn't save enough for the time of its container. */
    NO_GAIN,
    /** As many tasks have a second attempt as the limits allow. */
    CAP_REACHED,
    /** A clone would end first. */
    CLONE_IS_SOONER,
    /** An attempt from zero would end first. */
    NEW_IS_SOONER,
    /** A clone would end first, but the attempt can't be cloned. */
    NOT_CLONEABLE,
    /** It is a second attempt, and straggles itself: another takes its place. */
    SECOND_STRAGGLES
}
