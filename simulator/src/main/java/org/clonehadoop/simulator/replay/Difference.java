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
package org.clonehadoop.simulator.replay;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * The first moment at which something else is ordered than was recorded. Both are exact: until then
 * the speculator has been told the same.
 *
 * @param recorded the order of that moment, or {@value #NOTHING}
 * @param replayed the same of today
 * @param because why that is accepted; blank if nobody has said so
 */
@JsonPropertyOrder({"recorded", "replayed", "because"})
record Difference(String recorded, String replayed, String because) {
    static final String NOTHING = "nothing";

    Difference withReason(String because) {
        return new Difference(recorded, replayed, because);
    }
}
