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
package org.apache.hadoop.clone.estimate;

import org.apache.hadoop.classification.InterfaceAudience;

/** Where what an attempt works on comes from. */
@InterfaceAudience.Private
public enum Supply {
    /** It has it, so its pace is its own. */
    AT_HAND,

    /** It gets what others have made, from hosts that may be slow, and that others wait for too. */
    FETCHED,

    /** Others are making it still, so that its pace says nothing. */
    AWAITED
}
