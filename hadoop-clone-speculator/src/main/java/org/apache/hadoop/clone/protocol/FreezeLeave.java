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
package org.apache.hadoop.clone.protocol;

import org.apache.hadoop.classification.InterfaceAudience;

/** Whether an original that is ready for it may be frozen for its clone. */
@InterfaceAudience.Private
public enum FreezeLeave {
    /** Now. */
    GRANTED,
    /**
     * Not now, since it would end sooner by itself, or its clone isn't expected yet: ask again, and
     * run on meanwhile.
     */
    LATER,
    /** Not for this clone. */
    REFUSED
}
