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

/** What can happen to a clone. */
enum CloneEvent {
    /** The original can be cloned. */
    ABLE,
    /** The original can't, or not any more. */
    REFUSED,
    /** What makes the clone failed before it ran. */
    FAILED,
    /** Scored again, an attempt from zero ends sooner than the clone. */
    VETOED,
    /** The clone's attempt is about to be launched in its container. */
    CONTAINER,
    /** It is, but that container is on the original's host. */
    BESIDE,
    /** The original waits for the clone's container. */
    OFFERED,
    /** The original may freeze. */
    FROZEN,
    /** The restored process has asked who it is. */
    BECAME,
    /** It runs as its attempt. */
    REGISTERED,
    /** The original's attempt has ended, in whatever way. */
    ORIGINAL_ENDED,
    /** The clone's attempt has succeeded. */
    CLONE_SUCCEEDED,
    /** The clone's attempt has ended in another way, as others wanted it or for another's fault. */
    CLONE_ENDED,
    /** What was launched to be the clone has failed by itself. */
    CLONE_FAILED,
    /** An operator wants stock's speculation. */
    SWITCHED_OFF,
    /** The present state has lasted too long. */
    TIME_OUT
}
