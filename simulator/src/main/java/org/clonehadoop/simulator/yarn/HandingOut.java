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
package org.clonehadoop.simulator.yarn;

/** Which of an AppMaster's tasks gets a container that has come. */
public enum HandingOut {
    /** One that would rather run on its host, if there is any: Hadoop's AppMaster with maps. */
    BY_HOST,
    /** The one that has waited longest: with reduces, and with maps that have failed before. */
    BY_TURN
}
