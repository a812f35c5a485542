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
package org.apache.hadoop.clone.score;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How an attempt got on lately, which its whole runtime so far says little of.
 *
 * @param perMilli the share of its work that it does in a millisecond, from 0; NaN if it hasn't
 *     been watched for long enough
 * @param silent it hasn't moved for so long that an estimate says nothing any more
 */
@InterfaceAudience.Private
public record RecentPace(double perMilli, boolean silent) {
    /** Nothing is known but that it moves. */
    public static final RecentPace UNKNOWN = new RecentPace(Double.NaN, false);
}
